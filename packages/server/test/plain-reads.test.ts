import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler, type HandlerOptions, server } from '../src/index.js'
import { json, servedClient } from './support/app.js'

/** A header that makes a request take all steps and changes nothing of its answer. */
const ALL_STEPS = { 'if-none-match': '"never"' }

/** Everything of an answer that must not depend on the way it took. */
async function seen(answer: Response) {
  const headers = Object.fromEntries(answer.headers)
  expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  const body = await answer.text()
  const isProblem = headers['content-type'] === 'application/problem+json'
  const shown = isProblem ? { ...JSON.parse(body), instance: undefined } : body
  return { status: answer.status, headers: { ...headers, 'x-request-id': undefined }, body: shown }
}

/** Requests of every kind that a plain read can turn out to be. */
const REQUESTS: readonly (readonly [string, string, Record<string, string>?])[] = [
  ['a short result', 'objects.get?id=short'],
  ['the same again', 'objects.get?id=short'],
  ['another one', 'objects.get?id=other'],
  ['a result of several bytes a character', 'objects.get?id=umlauts'],
  ['a long result', 'objects.get?id=long'],
  ['a long result, compressed', 'objects.get?id=long', { 'accept-encoding': 'gzip' }],
  ['a short result, which is not', 'objects.get?id=short', { 'accept-encoding': 'gzip' }],
  ['no such record', 'objects.get?id=none'],
  ['no such operation', 'objects.gat?id=short'],
  ['an operation that writes', 'objects.delete?id=short'],
  ['a parameter that does not exist', 'objects.get?id=short&x=1'],
  ['no input', 'objects.get'],
  ['a key that is not one', 'objects.get?id=short', { authorization: 'Bearer mk_0' }],
  ['a foreign host', 'objects.get?id=short', { host: 'evil.example' }],
  ['a name in percent signs', 'objects%2Eget?id=short'],
  ['a longer path', 'objects.get/more?id=short'],
]

async function client(options: HandlerOptions = {}) {
  const created = await servedClient({ failureLimit: false, ...options })
  const note = (id: string, content: string) =>
    created.post('objects.create', { type: 'note', id, title: id, fields: { content } })
  await note('short', 'x')
  await note('other', 'y')
  await note('umlauts', 'äöü € 🌱')
  await note('long', 'water '.repeat(1000))
  return created
}

test.each([
  ['by default', {}],
  ['with origins of other pages', { origins: ['https://app.example'] }],
])('plain reads are answered like those that take all steps, %s', async (_, options) => {
  const { send } = await client(options)
  for (const [name, path, headers = {}] of REQUESTS) {
    const plain = await seen(await send(`/api/operations/${path}`, { headers }))
    const whole = await seen(await send(`/api/operations/${path}`, { headers: { ...headers, ...ALL_STEPS } }))
    expect(plain, name).toEqual(whole)
  }
})

test('requests that arrive together are answered like those that arrive alone', async () => {
  const { app, send } = await client()
  const { key: ofOther } = await app.server.keys.create({ owner: 'bob', scopes: ['read'], namespaces: ['runs'] })
  const requests = REQUESTS.flatMap(([name, path, headers = {}]) =>
    [undefined, ofOther].flatMap((key) =>
      [{}, ALL_STEPS, { origin: 'https://evil.example' }, { 'accept-encoding': 'gzip' }].map((more) => {
        const init = { headers: { ...headers, ...more }, ...(key !== undefined && { key }) }
        return { name, answer: async () => seen(await send(`/api/operations/${path}`, init)) }
      }),
    ),
  )
  const alone: unknown[] = []
  for (const { answer } of requests) alone.push(await answer())
  const together = await Promise.all(requests.map(({ answer }) => answer()))
  for (const [index, { name }] of requests.entries()) expect(together[index], name).toEqual(alone[index])
})

test('a plain read is done and counted once, whatever it turns out to be', async () => {
  for (const [, path, headers = {}] of REQUESTS) {
    if (headers.host !== undefined || headers.authorization !== undefined) continue
    let counted = 0
    const rateLimit = { consume: async () => void counted++ }
    const { app, send } = await client({ rateLimit })
    let finished = 0
    app.on('operation.finished', () => finished++)
    counted = 0
    await send(`/api/operations/${path}`)
    await send(`/api/operations/${path}`)
    expect(counted).toBe(2)
    expect(finished).toBeLessThanOrEqual(2)
  }
})

test('a key that is revoked is refused at once', async () => {
  const { app, send } = await client()
  const { key, record } = await app.server.keys.create({ owner: 'bob', scopes: ['read'] })
  const read = () => send('/api/operations/objects.get?id=short', { key })
  expect([(await read()).status, (await read()).status]).toEqual([200, 200])
  await app.server.keys.revoke(record.id)
  expect((await read()).status).toBe(401)
})

test('the signal of a read is aborted when its caller goes away and when it takes too long', async () => {
  const reasons: string[] = []
  const patient = defineOperation({
    name: 'waits.wait',
    summary: 'Wait until it is cancelled',
    access: 'read',
    input: Type.Object({}),
    output: Type.Object({}),
    run: (_input, _deps, { signal }) =>
      new Promise<object>((_, reject) => {
        const end = () => {
          reasons.push(signal.reason.name)
          reject(signal.reason)
        }
        if (signal.aborted) end()
        else signal.addEventListener('abort', end)
        started()
      }),
  })
  let started = () => {}
  const ref = pluginRef<object>()('waits', 'waits')
  const waits = definePlugin({ ref, version: '1.0.0', contributes: [[operations, [patient]]], setup: () => ({}) })
  const app = await createMinions({ storage: 'memory:', plugins: [server(), waits] })
  onTestFinished(() => app.close())
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['read'] })
  const request = (signal?: AbortSignal) =>
    new Request('http://localhost/api/operations/waits.wait', {
      headers: { authorization: `Bearer ${key}` },
      ...(signal && { signal }),
    })
  const timedOut = await createHandler(app, { readTimeout: 20 })(request())
  expect([timedOut.status, (await json(timedOut)).code]).toEqual([504, 'TIMEOUT'])
  await expect.poll(() => reasons).toEqual(['AbortError'])

  const gone = new AbortController()
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve
  })
  const answer = createHandler(app)(request(gone.signal))
  await hasStarted
  gone.abort(new DOMException('The caller went away.', 'NetworkError'))
  expect((await answer).status).toBe(409)
  expect(reasons).toEqual(['AbortError', 'NetworkError'])
})
