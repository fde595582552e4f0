import { join } from 'node:path'
import { approvals, type PolicyRule } from '@minions/approvals'
import { colony, deterministicRoles, type Roles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions, runOperation } from '@minions/host'
import { prompts } from '@minions/prompts'
import { type SkillsOptions, skills } from '@minions/skills-runtime'
import { VirtualClock } from '@minions/skills-runtime/testing'
import { workspace } from '@minions/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { task } from '../../../packages/colony/test/support/graphs.js'
import { type AgentPart, agent, agents, askAll, handOver } from '../src/agents/index.js'
import { models } from '../src/index.js'
import type { FakeModelServer, FakeReply, FakeRequest } from '../src/testing/index.js'
import { add } from './support/agents-app.js'
import { fakeServer, modelOn, quickTimers } from './support/app.js'
import { envelope, folder } from './support/mission.js'

const rules: readonly PolicyRule[] = [
  { name: 'secret-sums', action: 'deny', call: 'add', sensitivity: 'restricted', role: 'worker' },
  { name: 'sums', action: 'ask', kind: 'skill', call: 'add', reason: 'Sums have been wrong before.' },
]

interface Sent {
  readonly role: string
  readonly content: string
}

const messagesOf = ({ body }: FakeRequest) => body.messages as unknown as readonly Sent[]

/** Adds, and says what came of it. */
function play(request: FakeRequest): FakeReply {
  const last = messagesOf(request).at(-1)
  if (last?.role === 'tool') return { text: last.content }
  return { toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }
}

const helper = agent({ name: 'helper', prompt: 'You help.', skills: [add], budget: { seconds: 60 } })

interface Setting {
  readonly parts?: readonly AgentPart[]
  readonly storage?: string
  readonly skills?: SkillsOptions
}

async function open(server: FakeModelServer, { parts = [helper], storage = 'memory:', ...setting }: Setting = {}) {
  const app = await createMinions({
    storage,
    plugins: [
      approvals({ rules }),
      models({ default: modelOn(server), environment: {}, random: () => 0, timers: quickTimers }),
      skills({ leaseMs: 300, ...setting.skills }),
      agents({ agents: parts, ...(setting.skills?.timers && { timers: setting.skills.timers }) }),
    ],
  })
  onTestFinished(() => app.close())
  const pending = async () => (await app.approvals.list({ status: 'pending' })).items
  const waiting = async (count = 1) => {
    await expect.poll(async () => (await pending()).length).toBe(count)
    return pending()
  }
  return { app, waiting }
}

test('an agent acts on behalf of whoever asks it, who cannot approve what it does', async () => {
  const { app, waiting } = await open(await fakeServer(play))
  const caller = { by: 'eve', tenant: 'acme' }
  const asking = runOperation(app, 'agents.ask', { agent: 'helper', input: '1 + 2?' }, caller)
  const [approval] = await waiting()
  expect(approval).toMatchObject({
    asked_by: 'eve',
    tenant_id: 'acme',
    call: { name: 'add', arguments: { a: 1, b: 2 } },
  })
  const id = approval?.approval_id ?? ''
  await expect(app.approvals.approve(id, { by: 'eve' })).rejects.toMatchObject({ code: 'SELF_APPROVAL' })
  await app.approvals.edit(id, { by: 'ada', tenant: 'acme', arguments: { a: 20, b: 22 } })
  expect(await asking).toMatchObject({ text: '{"sum":42}', finish: 'stop' })
})

test('so do the agents that it asks', async () => {
  const server = await fakeServer((request) => {
    const [system] = messagesOf(request)
    const isLast = messagesOf(request).at(-1)?.role === 'tool'
    if (system?.content === 'You route.') {
      return { toolCalls: [{ name: 'hand-over', arguments: { agent: 'chair', input: '1 + 2?' } }] }
    }
    if (system?.content === 'You chair.' && !isLast)
      return { toolCalls: [{ name: 'ask-all', arguments: { input: '1 + 2?' } }] }
    return play(request)
  })
  const desk = agent({ name: 'desk', prompt: 'You route.', skills: [handOver({ to: ['chair'] })] })
  const chair = agent({ name: 'chair', prompt: 'You chair.', skills: [askAll({ agents: ['helper'] })] })
  const { app, waiting } = await open(server, { parts: [helper, chair, desk] })
  const asking = app.agents.ask('desk', { input: '1 + 2?' }, { by: 'eve', tenant: 'acme' })
  const [approval] = await waiting()
  expect(approval).toMatchObject({ asked_by: 'eve', tenant_id: 'acme' })
  await app.approvals.approve(approval?.approval_id ?? '', { by: 'ada' })
  expect(await asking).toMatchObject({ text: expect.stringContaining('sum'), handed_over_to: 'chair' })
})

test('an agent that works on a task acts on behalf of the mission, its role and its sensitivity', async () => {
  const server = await fakeServer(play)
  const told: string[] = []
  const { prompt_master } = deterministicRoles() as Required<Roles>
  const roles: Roles = {
    planner: () => ({
      tasks: [
        task('prompts', [], { role_type: 'prompt_master' }),
        task('sum', ['prompts'], { allowed_tools: ['helper', 'add'] }),
      ],
    }),
    prompt_master,
    async worker(_, context) {
      const { text } = (await context.tool('helper', { input: '1 + 2?' })) as { text: string }
      told.push(text)
      return { output_text: text, confidence: 1 }
    },
  }
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      approvals({ rules }),
      models({ default: modelOn(server), environment: {}, timers: quickTimers }),
      prompts(),
      workspace({ configDir: join(folder, 'approvals'), store: 'storage' }),
      skills(),
      agents({ agents: [helper] }),
      colonyContracts(),
      colony({ roles }),
    ],
  })
  onTestFinished(() => app.close())
  const mission = { ...envelope(), sensitivity_class: 'restricted' as const }
  expect(await app.colony.run(mission)).toMatchObject({ status: 'completed' })
  expect(told).toEqual([expect.stringContaining('denied by rule "secret-sums"')])
  const open = { ...envelope(), sensitivity_class: 'public' as const }
  const running = app.colony.run(open)
  const pending = async () => (await app.approvals.list({ status: 'pending' })).items
  await expect.poll(async () => (await pending()).length).toBe(1)
  const [approval] = await pending()
  expect(approval).toMatchObject({
    asked_by: open.actor_id,
    tenant_id: open.tenant_id,
    call: { mission_id: open.mission_id, task_id: 'sum', role: 'worker', sensitivity: 'public' },
  })
  await app.approvals.approve(approval?.approval_id ?? '', { by: 'ada' })
  expect(await running).toMatchObject({ status: 'completed' })
  expect(told[1]).toBe('{"sum":3}')
})

test('the time that a person takes counts neither as the time of an agent nor against its budget', async () => {
  const time = new VirtualClock()
  const server = await fakeServer(play)
  const { app, waiting } = await open(server, { skills: { timers: time.timers, leaseMs: 600_000 } })
  const asking = app.agents.ask('helper', { input: '1 + 2?' })
  const [approval] = await waiting()
  await time.advance(2 * 3_600_000)
  await app.approvals.approve(approval?.approval_id ?? '', { by: 'ada' })
  expect(await asking).toMatchObject({ text: '{"sum":3}', finish: 'stop', steps: 2 })
})

test('an agent that waits survives the end of its process, and pays for no answer twice', async () => {
  const server = await fakeServer(play)
  const storage = `sqlite:${join(folder, 'waiting.db')}`
  const first = await open(server, { storage })
  const { agent_id } = await first.app.skills.spawn({ metadata: { by: 'eve' } })
  const broken = first.app.skills.run(agent_id, 'helper', { input: '1 + 2?' }).catch((error) => error.code)
  const [approval] = await first.waiting()
  await first.app.close()
  expect(await broken).toBe('INTERRUPTED')
  const second = await open(server, { storage })
  await second.app.skills.resume(agent_id)
  expect((await second.waiting())[0]?.approval_id).toBe(approval?.approval_id)
  const elsewhere = await open(server, { storage })
  await elsewhere.app.approvals.approve(approval?.approval_id ?? '', { by: 'ada' })
  const ended = await second.app.skills.wait(agent_id)
  expect(ended).toMatchObject({ state: 'completed', results: { helper: { text: '{"sum":3}', steps: 2 } } })
  expect(server.paid).toBe(2)
  expect(await second.app.skills.executions({ skill_name: 'add' })).toHaveLength(1)
})
