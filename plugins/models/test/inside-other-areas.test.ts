import { join } from 'node:path'
import { colony, deterministicRoles, type Roles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { createAgent, type WorkspaceApi, workspace } from '@minions/workspace'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { task } from '../../../packages/colony/test/support/graphs.js'
import { agent, agents } from '../src/agents/index.js'
import { models } from '../src/index.js'
import { add } from './support/agents-app.js'
import { fakeServer, modelOn, modelsApp, quickTimers } from './support/app.js'
import { envelope, folder } from './support/mission.js'

interface SentMessage {
  readonly role: string
  readonly content: string
}

test('an agent that works on a task may use what the policy of the mission lets the task use', async () => {
  const told: string[] = []
  const server = await fakeServer(({ body }) => {
    const last = (body.messages as unknown as SentMessage[]).at(-1)
    if (last?.role !== 'tool') return { toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }
    told.push(last.content)
    return { text: last.content }
  })
  const { prompt_master } = deterministicRoles() as Required<Roles>
  const roles: Roles = {
    planner: () => ({
      tasks: [
        task('prompts', [], { role_type: 'prompt_master' }),
        task('allowed', ['prompts'], { allowed_tools: ['helper', 'add'] }),
        task('denied', ['prompts', 'allowed'], { allowed_tools: ['helper'] }),
      ],
    }),
    prompt_master,
    async worker(_, context) {
      const { text } = (await context.tool('helper', { input: '1 + 2?' })) as { text: string }
      return { output_text: text, confidence: 1 }
    },
  }
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ default: modelOn(server), environment: {}, timers: quickTimers }),
      prompts(),
      workspace({ configDir: join(folder, 'config'), store: 'storage' }),
      skills(),
      agents({ agents: [agent({ name: 'helper', prompt: 'You help.', skills: [add] })] }),
      colonyContracts(),
      colony({ roles }),
    ],
  })
  onTestFinished(() => app.close())
  const result = await app.colony.run(envelope())
  expect(result.status).toBe('completed')
  expect(told[0]).toBe('{"sum":3}')
  expect(told[1]).toMatch(/add/)
  expect(told[1]).not.toContain('sum')
  expect(await app.skills.executions({ skill_name: 'add' })).toHaveLength(1)
})

test('an agent with a stored prompt renders it when it begins', async () => {
  const server = await fakeServer([{ text: 'Ahoy.' }])
  const app = await createMinions({
    storage: 'memory:',
    plugins: [models({ default: modelOn(server), environment: {} }), skills(), prompts(), agents()],
  })
  onTestFinished(() => app.close())
  const prompt = await app.prompts.create({ title: 'Tone', content: 'Speak like a {{who}}.' })
  app.agents.add(agent({ name: 'sailor', prompt: { prompt: prompt.id, variables: { who: 'sailor' } } }))
  expect((await app.agents.ask('sailor', { input: 'Hello?' })).text).toBe('Ahoy.')
  expect(server.requests[0]?.body.messages).toMatchObject([{ content: 'Speak like a sailor.' }, {}])
})

test('an agent of a workspace asks the models of the app', async () => {
  const server = await fakeServer([{ text: 'The harbour is calm.' }])
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ roles: { workspace: modelOn(server) }, environment: {} }),
      workspace({ configDir: join(folder, 'agents'), store: 'storage' }),
    ],
  })
  onTestFinished(() => app.close())
  const { workspace: harbour, rootPath } = await app.workspace.ensure('harbour', {
    createMissing: true,
    initFiles: true,
  })
  const sailor = app.workspace.createAgent('sailor')
  sailor.setContext(harbour, { rootPath })
  const stream = sailor.stream('How is the harbour?')
  let said = ''
  for await (const piece of stream) said += piece
  expect(said).toBe('The harbour is calm.')
  expect((await stream.reply).usage).toMatchObject({ totalTokens: 15 })
  const without = await createMinions({
    storage: 'memory:',
    plugins: [workspace({ configDir: join(folder, 'agents'), store: 'storage' })],
  })
  onTestFinished(() => without.close())
  expect(() => without.workspace.createAgent('sailor')).toThrow(/@minions\/models/)
})

const Angle = z.object({ angle: z.number().min(-45).max(45), ship: z.string().default('ours') })
const angleSchema = { type: 'object', properties: { angle: { type: 'number', minimum: -45, maximum: 45 } } }
const steer = { name: 'steer', description: 'Turns the ship.', parameters: Angle, run: (given: object) => given }

/** A server whose model steers too far at first, then by 5 degrees, and repeats what the tool returned. */
const helmsman = () =>
  fakeServer(({ body }) => {
    const told = (body.messages as unknown as SentMessage[]).filter(({ role }) => role === 'tool')
    if (told.length < 2) return { toolCalls: [{ name: 'steer', arguments: { angle: told.length === 0 ? 90 : 5 } }] }
    return { text: told.map(({ content }) => content).join('\n') }
  })

test('a tool of a workspace agent may take its schema from zod, with a model of its own and with those of the app', async () => {
  const server = await helmsman()
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ roles: { workspace: modelOn(server) }, environment: {} }),
      prompts(),
      skills(),
      agents(),
      workspace({ configDir: join(folder, 'zod'), store: 'storage' }),
    ],
  })
  onTestFinished(() => app.close())
  const { workspace: harbour, rootPath } = await app.workspace.ensure('harbour', {
    createMissing: true,
    initFiles: true,
  })
  const sailor = app.workspace.createAgent('sailor', { tools: [steer] })
  sailor.setContext(harbour, { rootPath })
  const { reply } = await sailor.run('Turn.')
  expect(reply).toMatch(/VALIDATION_FAILED.*\/angle.*"angle":5,"ship":"ours"/s)
  const [request] = server.requests
  expect(request?.body.tools).toMatchObject([{ function: { name: 'steer', parameters: angleSchema } }])

  const offered: unknown[] = []
  const own = createAgent('sailor', {
    tools: [steer],
    model: (messages, { tools }) => {
      offered.push(tools)
      const last = messages.at(-1)
      if (last?.role === 'tool') return last.content
      return { toolCalls: [{ id: '1', name: 'steer', arguments: { angle: 5 } }] }
    },
  })
  own.setContext(harbour, { rootPath })
  expect(JSON.parse((await own.run('Turn.')).reply)).toEqual({ angle: 5, ship: 'ours' })
  expect(offered[0]).toMatchObject([{ name: 'steer', parameters: angleSchema }])
})

test('the plugin can be loaded from a configuration, and refuses options that do not fit', async () => {
  await expect(modelsApp({ limits: { retries: -1 } })).rejects.toMatchObject({ code: expect.stringMatching(/OPTIONS/) })
  await expect(modelsApp({ unknown: 1 } as never)).rejects.toMatchObject({ code: expect.stringMatching(/OPTIONS/) })
})

/** An agent of a workspace that can ask for the tide, and what it asked for. */
async function sailorIn(app: { readonly workspace: WorkspaceApi }) {
  const { workspace: harbour, rootPath } = await app.workspace.ensure('harbour', {
    createMissing: true,
    initFiles: true,
  })
  const asked: unknown[] = []
  const tide = {
    name: 'tide',
    description: 'Tells the tide of a port.',
    parameters: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
    run: (parameters: unknown) => {
      asked.push(parameters)
      return { high: '06:00' }
    },
  }
  const sailor = app.workspace.createAgent('sailor', { tools: [tide] })
  sailor.setContext(harbour, { rootPath })
  return { harbour, sailor, tide, asked }
}

test('an agent of a workspace calls its tools with the models of the app', async () => {
  const server = await fakeServer([
    { text: 'One moment.', toolCalls: [{ id: 'call-1', name: 'tide', arguments: { port: 'Brest' } }] },
    { text: 'High at six.' },
  ])
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ roles: { workspace: modelOn(server) }, environment: {} }),
      workspace({ configDir: join(folder, 'tools'), store: 'storage' }),
    ],
  })
  onTestFinished(() => app.close())
  const { sailor, tide, asked } = await sailorIn(app)
  expect(await sailor.run('When is high tide?')).toMatchObject({ reply: expect.stringContaining('High at six.') })
  expect(asked).toEqual([{ port: 'Brest' }])
  expect(server.requests[0]?.body.tools).toMatchObject([{ function: { name: 'tide', parameters: tide.parameters } }])
  const messages = server.requests[1]?.body.messages
  expect(Array.isArray(messages) && messages.slice(-2)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'call-1', function: { name: 'tide', arguments: '{"port":"Brest"}' } }] },
    { role: 'tool', tool_call_id: 'call-1', content: '{"high":"06:00"}' },
  ])
})

test('in an app with agents, the turns of a workspace agent are run and recorded as those of any agent', async () => {
  const call = { id: 'call-1', name: 'tide', arguments: { port: 'Brest' } }
  const server = await fakeServer([
    { text: 'One moment. ', toolCalls: [call] },
    { text: 'High at six.' },
    { text: 'Low at noon.' },
  ])
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ roles: { workspace: modelOn(server) }, environment: {} }),
      skills(),
      agents(),
      workspace({ configDir: join(folder, 'runner'), store: 'storage' }),
    ],
  })
  onTestFinished(() => app.close())
  const { harbour, sailor, tide, asked } = await sailorIn(app)
  const stream = sailor.stream('When is high tide?')
  const pieces: string[] = []
  for await (const piece of stream) pieces.push(piece)
  expect(pieces.join('')).toBe('One moment. High at six.')
  expect(await stream.reply).toMatchObject({ reply: 'One moment. High at six.', usage: { totalTokens: 30 } })
  expect(asked).toEqual([{ port: 'Brest' }])
  expect(server.requests[0]?.body.tools).toMatchObject([{ function: { name: 'tide', parameters: tide.parameters } }])
  const told = server.requests[1]?.body.messages
  expect(Array.isArray(told) && told.slice(-2)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'call-1', function: { name: 'tide', arguments: '{"port":"Brest"}' } }] },
    { role: 'tool', tool_call_id: 'call-1', content: '{"high":"06:00"}' },
  ])

  expect((await sailor.run('And low tide?')).reply).toBe('Low at noon.')
  const history = server.requests[2]?.body.messages
  expect(Array.isArray(history) && history.slice(1)).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: 'One moment. High at six.' },
    { role: 'user', content: 'And low tide?' },
  ])
  const executions = await app.skills.executions({ skill_name: 'session-agent' })
  expect(executions.map(({ status }) => status)).toEqual(['success', 'success'])
  const [session] = await app.workspace.sessions(harbour).list()
  const { messages } = await app.workspace.sessions(harbour).read(session?.id ?? '')
  expect(messages.map(({ role }) => role)).toEqual(['user', 'tool', 'assistant', 'user', 'assistant'])
})

test('a workspace agent of an app ends with what its model ran into, and leaves nothing running', async () => {
  let count = 0
  const server = await fakeServer(({ body }) => {
    const said = JSON.stringify(body.messages)
    if (said.includes('refuse')) return { fault: { status: 401 } }
    if (said.includes('wait')) return { fault: 'stalls' }
    return { toolCalls: [{ id: `call-${++count}`, name: 'tide', arguments: { port: `P${count}` } }] }
  })
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ roles: { workspace: modelOn(server) }, environment: {} }),
      skills(),
      agents(),
      workspace({ configDir: join(folder, 'ends'), store: 'storage' }),
    ],
  })
  onTestFinished(() => app.close())
  const { workspace: harbour, rootPath } = await app.workspace.ensure('harbour', {
    createMissing: true,
    initFiles: true,
  })
  const tide = { name: 'tide', description: 'Tells.', parameters: { type: 'object' }, run: () => 'high' }
  const agentOf = () => {
    const created = app.workspace.createAgent('sailor', { tools: [tide], maxToolRounds: 2, historyLimit: 0 })
    created.setContext(harbour, { rootPath })
    return created
  }
  await expect(agentOf().run('for ever')).rejects.toMatchObject({ code: 'MODEL_FAILED' })
  expect(count).toBe(3)
  await expect(agentOf().run('refuse')).rejects.toMatchObject({ code: 'MODEL_UNAUTHORIZED' })
  const abort = new AbortController()
  const before = server.requests.length
  const waiting = agentOf().run('wait', { signal: abort.signal })
  while (server.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 5))
  abort.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
  const ended = await app.skills.stats()
  expect(ended).toMatchObject({ running: 0 })
})
