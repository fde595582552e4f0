import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agent } from '../src/agents/index.js'
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
