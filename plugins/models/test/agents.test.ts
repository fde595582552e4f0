import { runOperation } from '@minions/host'
import { defineSkill } from '@minions/skills-runtime'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { agent, askAll, handOver } from '../src/agents/index.js'
import type { FakeReply, FakeRequest } from '../src/testing/index.js'
import { add, agentsApp, fail } from './support/agents-app.js'
import { fakeServer, modelOn } from './support/app.js'

const call = (name: string, args: object | string, id = 'c1'): FakeReply => ({
  toolCalls: [{ id, name, arguments: args as never }],
})
const helper = agent({ name: 'helper', prompt: 'You help.', skills: [add, fail] })

interface SentMessage {
  readonly role: string
  readonly content: string
  readonly tool_call_id?: string
}
const messagesOf = (request: FakeRequest | undefined) => (request?.body.messages ?? []) as unknown as SentMessage[]
const lastMessage = (request: FakeRequest | undefined) => messagesOf(request).at(-1)

test('works with the skills of the registry and answers', async () => {
  const server = await fakeServer([call('add', { a: 2, b: 3 }), { text: 'It is 5.' }])
  const app = await agentsApp({ default: modelOn(server), agents: [helper], prices: { '*': { input: 1, output: 1 } } })
  const { agent_id } = await app.skills.spawn({ name: 'h' })
  const result = await app.skills.run(agent_id, 'helper', { input: 'What is 2 + 3?' })
  expect(result).toEqual({
    text: 'It is 5.',
    finish: 'stop',
    steps: 2,
    usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
    cost: 0.00003,
  })
  expect(server.requests[0]?.body.tools).toMatchObject([
    { function: { name: 'add', description: 'Adds two numbers.', parameters: { required: ['a', 'b'] } } },
    { function: { name: 'fail' } },
  ])
  expect(lastMessage(server.requests[1])).toMatchObject({ role: 'tool', content: '{"sum":5}', tool_call_id: 'c1' })
  const executions = await app.skills.executions()
  expect(executions.map(({ skill_name, status }) => [skill_name, status])).toEqual([
    ['helper', 'success'],
    ['add', 'success'],
  ])
})

test('tells the model what went wrong with a call', async () => {
  const replies = [
    call('add', '{"a": 1, "b"'),
    call('add', { a: 'one', b: 2 }),
    call('subtract', {}),
    call('fail', {}),
    { text: 'I give up.' },
  ]
  const server = await fakeServer(replies)
  const app = await agentsApp({ default: modelOn(server), agents: [helper] })
  expect(await app.agents.ask('helper', { input: 'Go' })).toMatchObject({ text: 'I give up.', steps: 5 })
  const told = server.requests.slice(1).map((request) => lastMessage(request)?.content)
  expect(told[0]).toContain('not a JSON object')
  expect(told[1]).toMatch(/"?\/?a/)
  expect(told[2]).toContain('the tools are add, fail')
  expect(told[3]).toContain('out of paper')
  expect((await app.skills.stats()).running).toBe(0)
})

test('keeps calls with the same id apart', async () => {
  const both = [
    { id: 'x', name: 'add', arguments: { a: 1, b: 1 } },
    { id: 'x', name: 'add', arguments: { a: 2, b: 2 } },
  ]
  const server = await fakeServer([{ toolCalls: both }, { text: 'done' }])
  const app = await agentsApp({ default: modelOn(server), agents: [helper] })
  await app.agents.ask('helper', { input: 'Go' })
  const tools = messagesOf(server.requests[1]).slice(-2)
  expect(tools.map(({ content }) => content)).toEqual(['{"sum":2}', '{"sum":4}'])
  expect(new Set(tools.map(({ tool_call_id }) => tool_call_id)).size).toBe(2)
})

test('ends when the model makes the same call for ever, or has no steps left', async () => {
  const same = await fakeServer([call('add', { a: 1, b: 1 })])
  const first = await agentsApp({ default: modelOn(same), agents: [helper] })
  expect(await first.agents.ask('helper', { input: 'Go' })).toMatchObject({ finish: 'repeated', steps: 3 })
  let n = 0
  const varied = await fakeServer(() => call('add', { a: n++, b: 1 }))
  const second = await agentsApp({ default: modelOn(varied), agents: [agent({ ...helper, maxSteps: 4 })] })
  expect(await second.agents.ask('helper', { input: 'Go' })).toMatchObject({ finish: 'steps', steps: 4 })
  expect(varied.requests).toHaveLength(4)
})

test('stops at its budget before the next call', async () => {
  let n = 0
  const server = await fakeServer(() => call('add', { a: n++, b: 1 }))
  const limited = (name: string, budget: object) => agent({ ...helper, name, budget })
  const app = await agentsApp({
    default: modelOn(server),
    prices: { 'fake/*': { input: 100_000, output: 0 } },
    agents: [limited('by-tokens', { tokens: 40 }), limited('by-cost', { cost: 1.5 })],
  })
  expect(await app.agents.ask('by-tokens', { input: 'Go' })).toMatchObject({
    finish: 'tokens',
    steps: 3,
    usage: { totalTokens: 45 },
  })
  // The last answer could be no longer than what was left.
  expect(server.requests[2]?.body.max_tokens).toBe(10)
  expect(await app.agents.ask('by-cost', { input: 'Go' })).toMatchObject({ finish: 'cost', steps: 2, cost: 2 })
  const unpriced = await agentsApp({ default: modelOn(server), agents: [limited('by-cost', { cost: 1 })] })
  await expect(unpriced.agents.ask('by-cost', { input: 'Go' })).rejects.toMatchObject({
    cause: { code: 'BUDGET_INVALID' },
  })
})

test('stops at its time, also while the model is silent', async () => {
  const server = await fakeServer([{ fault: 'silent' }])
  const quick = agent({ ...helper, budget: { seconds: 0.1 } })
  const app = await agentsApp({ default: modelOn(server), agents: [quick] })
  expect(await app.agents.ask('helper', { input: 'Go' })).toMatchObject({ finish: 'time', steps: 0 })
  expect((await app.skills.list())[0]).toMatchObject({ state: 'completed' })
})

test('leaves nothing running when it is cancelled or its model fails', async () => {
  const server = await fakeServer([{ fault: 'stalls' }])
  const app = await agentsApp({ default: modelOn(server), agents: [helper] })
  const abort = new AbortController()
  const asking = app.agents.ask('helper', { input: 'Go' }, { signal: abort.signal })
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const closed = server.nextAbort()
  abort.abort()
  await expect(asking).rejects.toMatchObject({ code: 'CANCELLED' })
  await closed
  const failing = await fakeServer([{ fault: { status: 401 } }])
  const second = await agentsApp({ default: modelOn(failing), agents: [helper] })
  await expect(second.agents.ask('helper', { input: 'Go' })).rejects.toMatchObject({
    code: 'SKILL_FAILED',
    details: { code: 'MODEL_UNAUTHORIZED' },
  })
  for (const each of [app, second])
    expect(await each.skills.stats()).toMatchObject({ running: 0, agents: { failed: 1 } })
})

test('cancels the skill that it waits for', async () => {
  let stopped = false
  const slow = defineSkill({
    name: 'slow',
    version: '1.0.0',
    parameters_schema: Type.Object({}),
    execute: (_, { signal }) =>
      new Promise<object>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true
          reject(signal.reason)
        })
      }),
  })
  const server = await fakeServer([call('slow', {})])
  const app = await agentsApp({ default: modelOn(server), agents: [agent({ ...helper, skills: [slow] })] })
  const abort = new AbortController()
  const asking = app.agents.ask('helper', { input: 'Go' }, { signal: abort.signal })
  while ((await app.skills.list({ state: 'running' })).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 5))
  abort.abort()
  await expect(asking).rejects.toMatchObject({ code: 'CANCELLED' })
  await expect.poll(async () => (await app.skills.stats()).running).toBe(0)
  expect(stopped).toBe(true)
})

test('reports its text as progress and passes it on', async () => {
  const text = 'One two three four five.'
  const server = await fakeServer([{ text }])
  const app = await agentsApp({ default: modelOn(server), agents: [helper] })
  const notes: (string | undefined)[] = []
  app.skills.events.on('execution.progress', ({ note }) => notes.push(note))
  const pieces: string[] = []
  await app.agents.ask('helper', { input: 'Count' }, { onText: (piece) => pieces.push(piece) })
  expect(pieces.join('')).toBe(text)
  expect(notes.at(-1)).toBe(text)
})

test('pauses between steps and goes on', async () => {
  const server = await fakeServer([call('add', { a: 1, b: 2 }), { text: 'three', delayMs: 0 }])
  const app = await agentsApp({ default: modelOn(server), agents: [helper] })
  const { agent_id } = await app.skills.spawn()
  app.skills.events.on('execution.started', ({ skill_name }) => {
    if (skill_name === 'helper') void app.skills.pause(agent_id)
  })
  const running = app.skills.run(agent_id, 'helper', { input: 'Go' })
  await expect.poll(async () => (await app.skills.get(agent_id)).state).toBe('paused')
  const asked = server.requests.length
  await app.skills.resume(agent_id)
  expect(await running).toMatchObject({ text: 'three' })
  expect(asked).toBe(1)
})

test('hands over to another agent, whose answer counts', async () => {
  const server = await fakeServer(({ body }) => {
    const [system] = body.messages as unknown as SentMessage[]
    if (system?.content === 'You know boats.') return { text: 'A mooring is free.' }
    return call('hand-over', { agent: 'boat-expert', input: 'Is there a mooring?' })
  })
  const app = await agentsApp({
    default: modelOn(server),
    agents: [
      agent({ name: 'boat-expert', prompt: 'You know boats.' }),
      agent({ name: 'front-desk', prompt: 'You route.', skills: [handOver({ to: ['boat-expert'] })] }),
    ],
  })
  expect(await app.agents.ask('front-desk', { input: 'Mooring?' })).toMatchObject({
    text: 'A mooring is free.',
    handed_over_to: 'boat-expert',
    steps: 1,
    usage: { totalTokens: 30 },
  })
})

test('asks several agents at once', async () => {
  let asked = 0
  let bothAsked = () => {}
  const areBothAsked = new Promise<void>((resolve) => {
    bothAsked = resolve
  })
  const server = await fakeServer(async ({ body }) => {
    const messages = body.messages as unknown as SentMessage[]
    if (messages[0]?.content === 'You decide.') {
      return messages.length > 2 ? { text: messages.at(-1)?.content ?? '' } : call('ask-all', { input: 'Which?' })
    }
    if (++asked === 2) bothAsked()
    await areBothAsked
    if (messages[0]?.content === 'You are red.') return { fault: { status: 400 } }
    return { text: 'blue' }
  })
  const app = await agentsApp({
    default: modelOn(server),
    agents: [
      agent({ name: 'red', prompt: 'You are red.' }),
      agent({ name: 'blue', prompt: 'You are blue.' }),
      agent({ name: 'judge-of-all', prompt: 'You decide.', skills: [askAll({ agents: ['red', 'blue'] })] }),
    ],
  })
  const { text, usage } = await app.agents.ask('judge-of-all', { input: 'Go' })
  expect(JSON.parse(text).answers).toMatchObject({
    red: { error: expect.stringContaining('400') },
    blue: { text: 'blue' },
  })
  expect(usage.totalTokens).toBe(45)
})

test('does not let agents call one another without end', async () => {
  const server = await fakeServer(({ body }) => {
    const messages = body.messages as unknown as SentMessage[]
    return messages.at(-1)?.role === 'tool'
      ? { text: messages.at(-1)?.content ?? '' }
      : call('mirror', { input: 'again' })
  })
  const app = await agentsApp({
    default: modelOn(server),
    agents: [agent({ name: 'mirror', prompt: 'You mirror.', skills: ['mirror'] })],
  })
  expect(await app.agents.ask('mirror', { input: 'Go' })).toMatchObject({
    text: expect.stringContaining('8 levels deep'),
  })
})

test('asks an agent of the store, with its prompt and tools', async () => {
  const server = await fakeServer([call('add', { a: 20, b: 22 }), { text: '42' }])
  const app = await agentsApp({ default: modelOn(server), agents: [helper] })
  await app.create('agent', {
    title: 'Adder',
    fields: { role: 'Adds', systemPrompt: 'You add.', tools: ['add', 'gone'], temperature: 0.5 },
  })
  expect(await runOperation(app, 'agents.offered', {})).toEqual([
    { name: 'helper', description: '', source: 'code' },
    { name: 'Adder', description: 'Adds', source: 'store' },
  ])
  expect(await runOperation(app, 'agents.ask', { agent: 'Adder', input: '20 + 22?' })).toMatchObject({ text: '42' })
  expect(server.requests[0]?.body).toMatchObject({ temperature: 0.5, messages: [{ content: 'You add.' }, {}] })
  await expect(app.agents.ask('Nobody', { input: 'Hello?' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('refuses definitions that cannot work', () => {
  for (const bad of [
    { name: 'x-y', prompt: '' },
    { name: 'x-y', prompt: 'p', maxSteps: 0 },
    { name: 'x-y', prompt: 'p', budget: { tokens: -1 } },
  ]) {
    expect(() => agent(bad)).toThrow(/cannot be used/)
  }
  expect(() => handOver({ to: [] })).toThrow(/names of agents/)
})
