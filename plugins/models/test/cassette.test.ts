import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { agent } from '../src/agents/index.js'
import type { ModelsOptions } from '../src/index.js'
import { add, agentsApp } from './support/agents-app.js'
import { fakeServer, modelOn, modelsApp, question } from './support/app.js'
import { folder } from './support/mission.js'

const fileOf = (name: string) => join(folder, `${name}.json`)

test('records streams and plain answers, and plays them in order with the network blocked', async () => {
  let n = 0
  const server = await fakeServer(() => ({ text: `answer number ${++n}` }))
  const file = fileOf('order')
  const asked = async (mode: 'record' | 'replay') => {
    const app = await modelsApp({ default: modelOn(server), cassette: { file, mode } })
    const pieces: string[] = []
    const replies = [
      await app.models.ask(question('same')),
      await app.models.ask(question('same')),
      await app.models.ask({ ...question('other'), onText: (piece) => pieces.push(piece) }),
    ]
    return { replies, said: pieces.join('') }
  }
  const recorded = await asked('record')
  await server.close()
  expect(recorded.replies.map(({ text }) => text)).toEqual(['answer number 1', 'answer number 2', 'answer number 3'])
  expect(recorded.said).toBe('answer number 3')
  expect(await asked('replay')).toEqual(recorded)
  expect(server.requests).toHaveLength(3)
})

test('a miss names the nearest recorded request and where it differs', async () => {
  const server = await fakeServer([{ text: 'ok' }])
  const file = fileOf('miss')
  const recording = await modelsApp({ default: modelOn(server), cassette: { file, mode: 'record' } })
  await recording.models.ask(question('Tell me about boats in the harbour'))
  await recording.models.ask(question('Compute the square root of nine'))
  const playing = await modelsApp({ default: modelOn(server), cassette: { file, mode: 'replay' } })
  const missing = playing.models.ask(question('Tell me about ships in the harbour'))
  await expect(missing).rejects.toMatchObject({
    code: 'CASSETTE_MISS',
    details: { nearest: { number: 1, pointer: '/prompt/0/content/0/text' } },
  })
  await expect(missing).rejects.toThrow(/boats.*ships/)
  expect(server.requests).toHaveLength(2)
})

test('records what is missing when it may', async () => {
  const server = await fakeServer([{ text: 'first' }, { text: 'second' }])
  const file = fileOf('auto')
  const open = () => modelsApp({ default: modelOn(server), cassette: { file, mode: 'auto' } })
  await (await open()).models.ask(question('a'))
  const app = await open()
  expect((await app.models.ask(question('a'))).text).toBe('first')
  expect((await app.models.ask(question('b'))).text).toBe('second')
  expect((await (await open()).models.ask(question('b'))).text).toBe('second')
  expect(server.requests).toHaveLength(2)
})

test('plays an agent with its tool calls', async () => {
  const server = await fakeServer([{ toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, { text: 'three' }])
  const file = fileOf('agent')
  const run = async (mode: 'record' | 'replay') => {
    const parts = [agent({ name: 'helper', prompt: 'You help.', skills: [add] })]
    const app = await agentsApp({ default: modelOn(server), agents: parts, cassette: { file, mode } })
    return app.agents.ask('helper', { input: '1 + 2?' })
  }
  const recorded = await run('record')
  await server.close()
  expect(await run('replay')).toEqual(recorded)
})

test('leaves nothing behind where the file cannot be written', async () => {
  const server = await fakeServer([{ text: 'ok' }])
  const file = join(folder, 'taken', 'cassette.json')
  await mkdir(file, { recursive: true })
  const app = await modelsApp({ default: modelOn(server), cassette: { file, mode: 'record' } })
  await expect(app.models.ask(question('a'))).rejects.toThrow()
  expect(await readdir(join(folder, 'taken'))).toEqual(['cassette.json'])
})

test('refuses a file that is not a cassette', async () => {
  const file = fileOf('damaged')
  for (const content of ['{', '[]', '{"version":2,"entries":[]}', '{"version":1,"entries":[5]}']) {
    await writeFile(file, content)
    const opening = modelsApp({ cassette: { file, mode: 'replay' } })
    await expect(opening).rejects.toMatchObject({ cause: { code: 'CASSETTE_INVALID' } })
  }
  const missing = modelsApp({ cassette: { file: fileOf('nowhere'), mode: 'replay' } })
  await expect(missing).rejects.toMatchObject({ cause: { code: 'CASSETTE_INVALID' } })
  expect(await readFile(file, 'utf8')).toContain('5')
})

/** A model that thinks, says something, thinks again and calls a tool; in its second answer it repeats what it was sent. */
const thinker: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'memory',
  modelId: 'thinker',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It streams.')),
  async doStream({ prompt }) {
    const text = (id: string, delta: string): LanguageModelV4StreamPart[] => [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: delta.slice(0, 3) },
      { type: 'text-delta', id, delta: delta.slice(3) },
      { type: 'text-end', id },
    ]
    const thought = (id: string, delta: string): LanguageModelV4StreamPart[] => [
      { type: 'reasoning-start', id },
      { type: 'reasoning-delta', id, delta },
      { type: 'reasoning-end', id, providerMetadata: { memory: { signature: `of ${delta}` } } },
    ]
    const isSecond = prompt.at(-1)?.role === 'tool'
    const parts: LanguageModelV4StreamPart[] = isSecond
      ? text('1', JSON.stringify(prompt.at(-2)))
      : [
          ...thought('1', 'So be it.'),
          ...text('2', 'One moment. '),
          ...thought('3', 'And on.'),
          ...text('4', 'I add.'),
          { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{"a":1,"b":2}' },
        ]
    const unified = isSecond ? 'stop' : 'tool-calls'
    const usage = {
      inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 2, text: 2, reasoning: 0 },
    }
    const all: LanguageModelV4StreamPart[] = [
      ...parts,
      { type: 'finish', finishReason: { unified, raw: unified }, usage },
    ]
    return {
      stream: new ReadableStream({
        start(controller) {
          for (const part of all) controller.enqueue(part)
          controller.close()
        },
      }),
    }
  },
}

test('an answer of several parts is the same with a cassette, without one, and played from it', async () => {
  const file = fileOf('thinker')
  const run = async (cassette: Pick<ModelsOptions, 'cassette'>) => {
    const parts = [agent({ name: 'helper', prompt: 'You help.', skills: [add] })]
    const app = await agentsApp({ default: thinker, agents: parts, ...cassette })
    const pieces: string[] = []
    const result = await app.agents.ask('helper', { input: '1 + 2?' }, { onText: (piece) => pieces.push(piece) })
    return { result, said: pieces.join('') }
  }
  const plain = await run({})
  expect(plain.result.text).toMatch(/So be it.*One moment.*And on.*I add.*tool-call/)
  expect(await run({ cassette: { file, mode: 'record' } })).toEqual(plain)
  expect(await run({ cassette: { file, mode: 'replay' } })).toEqual(plain)
})

test('records and plays embeddings too', async () => {
  const server = await fakeServer([])
  const file = fileOf('embeddings')
  const embedded = async (mode: 'record' | 'replay', texts: readonly string[]) => {
    const app = await modelsApp({ embedding: `openai-compatible:${server.url}#embedder`, cassette: { file, mode } })
    return app.models.embed(texts)
  }
  const recorded = await embedded('record', ['a', 'four'])
  await server.close()
  expect(await embedded('replay', ['a', 'four'])).toEqual(recorded)
  await expect(embedded('replay', ['a', 'five'])).rejects.toMatchObject({
    code: 'CASSETTE_MISS',
    details: { nearest: { number: 1, pointer: '/values/1' } },
  })
})
