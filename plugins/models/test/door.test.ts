import { createServer } from 'node:net'
import { systemTimers } from '@minions/core/coordination'
import { runOperation } from '@minions/host'
import { createOpenAICompatible as createV2 } from 'openai-compatible-v2'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { LanguageModel } from '../src/index.js'
import type { FakeFault } from '../src/testing/index.js'
import { fakeServer, modelOn, modelsApp, question } from './support/app.js'

const onText = () => undefined

test('asks a model and counts what it used', async () => {
  const server = await fakeServer([{ text: 'Good day', usage: { prompt: 7, completion: 3 } }])
  const app = await modelsApp({ default: modelOn(server), prices: { 'fake/*': { input: 1, output: 10 } } })
  const reply = await app.models.ask(question())
  expect(reply).toEqual({
    text: 'Good day',
    model: 'fake/fake-1',
    usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 },
    cost: 0.000037,
  })
  expect(app.models.usage()).toEqual([
    { model: 'fake/fake-1', role: 'default', calls: 1, failures: 0, inputTokens: 7, outputTokens: 3, cost: 0.000037 },
  ])
})

test('streams the same text, also when chunks end inside characters', async () => {
  const text = 'Grüße an die Fähre 🚢 über die Förde, 東京 and back'
  const server = await fakeServer([{ text, chunkBytes: 3 }])
  const app = await modelsApp({ default: modelOn(server) })
  const pieces: string[] = []
  const reply = await app.models.ask({ ...question(), onText: (piece) => pieces.push(piece) })
  expect(reply.text).toBe(text)
  expect(pieces.join('')).toBe(text)
  expect(pieces.length).toBeGreaterThan(3)
  expect(reply.usage.totalTokens).toBe(15)
})

test('takes providers of both versions of the interface', async () => {
  const server = await fakeServer([{ text: 'old and new' }])
  const old = createV2({ name: 'old', baseURL: server.url, includeUsage: true })('m')
  expect(old.specificationVersion).toBe('v3')
  const app = await modelsApp({ default: old, roles: { judge: modelOn(server) } })
  expect((await app.models.ask(question())).model).toBe('old/m')
  expect((await app.models.ask({ ...question(), onText })).text).toBe('old and new')
  expect((await app.models.ask({ ...question(), role: 'judge' })).model).toBe('fake/fake-1')
})

test('refuses what is not a model, with a word on what would be one', async () => {
  const refused = modelsApp({ default: {} as LanguageModel })
  await expect(refused).rejects.toMatchObject({ cause: { code: 'VALIDATION_FAILED' } })
  const tooOld = { specificationVersion: 'v2', provider: 'p', modelId: 'm', doGenerate() {}, doStream() {} }
  await expect(modelsApp({ default: tooOld as unknown as LanguageModel })).rejects.toThrow(/ai 6 or 7/)
  const app = await modelsApp({})
  await expect(app.models.ask(question())).rejects.toMatchObject({ code: 'MODEL_MISSING' })
})

const faults: [FakeFault, string, number][] = [
  [{ status: 500 }, 'MODEL_UNAVAILABLE', 3],
  [{ status: 429 }, 'MODEL_RATE_LIMITED', 3],
  [{ status: 401 }, 'MODEL_UNAUTHORIZED', 1],
  [{ status: 400 }, 'MODEL_REFUSED', 1],
  [{ status: 404, body: '<html>nothing</html>' }, 'MODEL_REFUSED', 1],
  ['html', 'MODEL_ANSWER_INVALID', 1],
  ['half-json', 'MODEL_ANSWER_INVALID', 3],
  ['cut', 'MODEL_ANSWER_CUT', 3],
]

test.each(faults)('reports %j as %s after %i calls', async (fault, code, calls) => {
  const server = await fakeServer([{ fault }])
  const app = await modelsApp({ default: modelOn(server) })
  await expect(app.models.ask(question())).rejects.toMatchObject({ code })
  expect(server.requests).toHaveLength(calls)
})

const streamFaults: [FakeFault, string][] = [
  [{ status: 503 }, 'MODEL_UNAVAILABLE'],
  ['cut', 'MODEL_ANSWER_CUT'],
  ['ends-early', 'MODEL_ANSWER_CUT'],
  ['half-json', 'MODEL_ANSWER_INVALID'],
  ['error-event', 'MODEL_UNAVAILABLE'],
]

test.each(streamFaults)('reports %j in a stream as %s, and repeats it only if it may', async (fault, code) => {
  const server = await fakeServer([{ fault }])
  const app = await modelsApp({ default: modelOn(server) })
  await expect(app.models.ask({ ...question(), onText })).rejects.toMatchObject({ code })
  // Part of the text was handed out, so asking again would repeat it.
  expect(server.requests).toHaveLength(typeof fault === 'object' ? 3 : 1)
  let restarts = 0
  const call = app.models.call({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'again' }] }],
    onText,
    onRestart: () => restarts++,
  })
  await expect(call).rejects.toMatchObject({ code })
  expect(restarts).toBe(typeof fault === 'object' ? 0 : 2)
})

test('reports a page in place of a stream', async () => {
  const server = await fakeServer([{ fault: 'html' }])
  const app = await modelsApp({ default: modelOn(server) })
  await expect(app.models.ask({ ...question(), onText })).rejects.toMatchObject({
    code: expect.stringMatching(/^MODEL_ANSWER_(CUT|INVALID)$/),
  })
})

test('succeeds when a failure passes', async () => {
  const server = await fakeServer([{ fault: { status: 502 } }, { fault: 'half-json' }, { text: 'at last' }])
  const app = await modelsApp({ default: modelOn(server) })
  expect((await app.models.ask(question())).text).toBe('at last')
  expect(app.models.usage()).toMatchObject([{ calls: 1, failures: 2 }])
})

test('reports a provider that is down', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  const server = { url: `http://127.0.0.1:${port}/v1` } as Awaited<ReturnType<typeof fakeServer>>
  const app = await modelsApp({ default: modelOn(server) })
  await expect(app.models.ask(question())).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' })
})

test('waits as long as a provider asks for, and gives up when that is too long', async () => {
  const waits: number[] = []
  let skipped = 0
  const timers = {
    now: () => performance.now() + skipped,
    set(milliseconds: number, callback: () => void) {
      if (milliseconds >= 600_000) return systemTimers.set(milliseconds, callback)
      waits.push(milliseconds)
      return systemTimers.set(0, () => {
        skipped += milliseconds
        callback()
      })
    },
  }
  const limited = (headers: Record<string, string>) => ({ fault: { status: 429, headers } })
  const server = await fakeServer([
    limited({ 'retry-after': '7' }),
    limited({ 'retry-after-ms': '250' }),
    { text: 'ok' },
  ])
  const app = await modelsApp({ default: modelOn(server), timers, limits: { concurrency: 1 } })
  expect((await app.models.ask(question())).text).toBe('ok')
  expect(waits).toContain(7000)
  expect(waits).toContain(250)

  const closed = await fakeServer([limited({ 'retry-after': '3600' })])
  const patient = await modelsApp({ default: modelOn(closed) })
  const failing = patient.models.ask(question())
  await expect(failing).rejects.toMatchObject({ code: 'MODEL_RATE_LIMITED', details: { retryAfterMs: 3_600_000 } })
  expect(closed.requests).toHaveLength(1)
})

test.each([[undefined], [onText]])(
  'closes the connection when the caller no longer wants the answer',
  async (listener) => {
    const server = await fakeServer([{ fault: listener ? 'stalls' : 'silent' }])
    const app = await modelsApp({ default: modelOn(server), timers: systemTimers })
    const abort = new AbortController()
    const asking = app.models.ask({ ...question(), signal: abort.signal, ...(listener && { onText: listener }) })
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const aborted = server.nextAbort()
    abort.abort()
    await expect(asking).rejects.toMatchObject({ code: 'CANCELLED' })
    await aborted
    expect(server.requests).toHaveLength(1)
  },
)

test('gives up on a provider that is silent or stops in the middle', async () => {
  const silent = await fakeServer([{ fault: 'silent' }])
  const first = await modelsApp({
    default: modelOn(silent),
    timers: systemTimers,
    limits: { timeoutMs: 50, retries: 0 },
  })
  await expect(first.models.ask(question())).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' })
  const stalling = await fakeServer([{ fault: 'stalls' }])
  const second = await modelsApp({
    default: modelOn(stalling),
    timers: systemTimers,
    limits: { idleMs: 50, retries: 0 },
  })
  const aborted = stalling.nextAbort()
  await expect(second.models.ask({ ...question(), onText })).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' })
  await aborted
})

test.each([[undefined], [onText]])('refuses an answer of 50 MB', async (listener) => {
  const server = await fakeServer([{ fault: 'huge' }])
  const app = await modelsApp({ environment: { MINIONS_MODEL: `openai-compatible:${server.url}#m` } })
  const asking = app.models.ask({ ...question(), ...(listener && { onText: listener }) })
  await expect(asking).rejects.toMatchObject({ code: 'MODEL_ANSWER_TOO_LARGE' })
  expect(server.requests).toHaveLength(1)
})

test('refuses a large answer of a provider that the application made', async () => {
  const server = await fakeServer([{ text: 'x'.repeat(2000) }])
  const app = await modelsApp({ default: modelOn(server), limits: { answerBytes: 1000 } })
  await expect(app.models.ask(question())).rejects.toMatchObject({ code: 'MODEL_ANSWER_TOO_LARGE' })
  await expect(app.models.ask({ ...question(), onText })).rejects.toMatchObject({ code: 'MODEL_ANSWER_TOO_LARGE' })
})

test.each([
  ['zod', z.object({ n: z.number().min(1) })],
  ['TypeBox', Type.Object({ n: Type.Number({ minimum: 1 }) })],
])('takes the schemas of answers and tools from %s', async (_, schema) => {
  const server = await fakeServer([{ text: '{"n":1}' }, { text: '{"n":1}' }])
  const app = await modelsApp({ default: modelOn(server) })
  const tool = { name: 'count', description: 'Counts.', parameters: schema }
  await app.models.ask({ ...question(), schema, tools: [tool] })
  const wanted = { type: 'object', properties: { n: { type: 'number', minimum: 1 } }, required: ['n'] }
  expect(server.requests[0]?.body).toMatchObject({
    response_format: { json_schema: { schema: wanted } },
    tools: [{ function: { name: 'count', parameters: wanted } }],
  })
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain('standard')
})

test('refuses a schema that cannot be described to a model', async () => {
  const app = await modelsApp({ default: modelOn(await fakeServer([])) })
  const schema = { '~standard': { version: 1, vendor: 'acme', validate: (value: unknown) => ({ value }) } }
  const asked = app.models.ask({ ...question(), schema })
  await expect(asked).rejects.toMatchObject({ code: 'INVALID_SCHEMA', message: expect.stringContaining('acme') })
})

test('sends the schema of a structured answer', async () => {
  const server = await fakeServer([{ text: '{"n":1}' }])
  const app = await modelsApp({ default: modelOn(server) })
  const schema = { type: 'object', properties: { n: { type: 'number' } } }
  await app.models.ask({ ...question(), schema, maxTokens: 50 })
  expect(server.requests[0]?.body).toMatchObject({
    max_tokens: 50,
    response_format: { type: 'json_schema', json_schema: { schema, strict: false } },
  })
})

test('keeps duplicate tool ids apart and passes on what cannot be parsed', async () => {
  const calls = [
    { id: 'same', name: 'add', arguments: { a: 1 } },
    { id: 'same', name: 'add', arguments: '{"a":' },
  ]
  const server = await fakeServer([{ toolCalls: calls }])
  const app = await modelsApp({ default: modelOn(server) })
  const tools = [{ type: 'function' as const, name: 'add', inputSchema: { type: 'object' as const } }]
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'add' }] }]
  const answer = await app.models.call({ prompt, tools })
  expect(answer.finish).toBe('tool-calls')
  expect(answer.toolCalls).toEqual([
    { id: 'same', name: 'add', input: '{"a":1}' },
    { id: 'same_2', name: 'add', input: '{"a":' },
  ])
})

test('lets no more calls through than the limits allow', async () => {
  let running = 0
  let most = 0
  const server = await fakeServer(async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 10))
    running--
    return { text: 'ok' }
  })
  const app = await modelsApp({ default: modelOn(server), limits: { concurrency: 2 } })
  await Promise.all(Array.from({ length: 6 }, () => app.models.ask(question())))
  expect(most).toBe(2)
})

test('embeds texts', async () => {
  const server = await fakeServer([])
  const app = await modelsApp({ embedding: `openai-compatible:${server.url}#embedder` })
  const { vectors, usage } = await app.models.embed(['a', 'four'])
  expect(vectors).toEqual([
    [1, 1],
    [4, 1],
  ])
  expect(usage.totalTokens).toBe(2)
  await expect(app.models.embed([1 as unknown as string])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('lists and tests models as operations', async () => {
  const good = await fakeServer([{ text: 'ready' }])
  const bad = await fakeServer([{ fault: { status: 401 } }])
  const app = await modelsApp({ default: modelOn(good), roles: { judge: modelOn(bad, 'j') } })
  expect(await runOperation(app, 'models.list', {})).toEqual([
    { role: 'default', model: 'fake/fake-1', priced: false },
    { role: 'judge', model: 'fake/j', priced: false },
  ])
  expect(await runOperation(app, 'models.test', {})).toMatchObject([
    { role: 'default', ok: true, text: 'ready', tokens: 15 },
    { role: 'judge', ok: false, error: { code: 'MODEL_UNAUTHORIZED' } },
  ])
  expect(await runOperation(app, 'models.test', { role: 'worker' })).toMatchObject([{ role: 'worker', ok: true }])
})
