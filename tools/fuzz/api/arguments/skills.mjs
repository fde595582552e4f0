// @ts-check
import { skillRecord } from '@minions/skills-runtime'

/** @import { Arguments } from '../targets.mjs' */
/** @import { World } from '../world.mjs' */

const skill = (name = 'sing') => ({
  name,
  version: '1.0.0',
  description: 'Sings.',
  tags: ['music'],
  author: 'ada',
  dependencies: [],
  timeout: 5,
  max_retries: 0,
  parameters_schema: { type: 'object', properties: { song: { type: 'string' } } },
  returns_schema: { type: 'object' },
  execute: () => ({ sung: true }),
})
const agent = async (/** @type {World} */ world) => [await world.agentId()]
const message = () => ({
  sender_id: 'system',
  recipient_id: 'bob',
  message_type: 'event',
  payload: { a: 1 },
  priority: 3,
  ttl: 5,
})
const send = () => ({ sender_id: 'system', message_type: 'event', priority: 3, ttl: 60, correlation_id: 'c1' })
const run = () => ({ version: '1.0.0', signal: AbortSignal.timeout(60_000) })
const agentFilter = () => ({
  agent_id: 'a',
  name: ['a'],
  state: ['running'],
  assigned_skill: 'echo',
  started_after: '2024-01-01T00:00:00Z',
  started_before: '2099-01-01T00:00:00Z',
  limit: 5,
})
const executionFilter = () => ({
  execution_id: 'a',
  agent_id: ['a'],
  skill_name: 'echo',
  skill_version: '1.0.0',
  status: ['completed'],
  started_after: '2024-01-01T00:00:00Z',
  limit: 5,
})

/** Skills, subagents and messages. @type {Record<string, Arguments>} */
export const skillsArguments = {
  'app.skills.spawn': (world) => [{ name: world.name('agent'), metadata: { a: 1 } }],
  'app.skills.run': async (world) => [await world.agentId(), 'echo', { text: 'a' }, run()],
  'app.skills.runChain': async (world) => [await world.agentId(), 'echo', { echo: { text: 'a' } }, run()],
  'app.skills.pause': agent,
  'app.skills.resume': async (world) => [await world.agentId(), { params: { echo: { text: 'a' } } }],
  'app.skills.cancel': agent,
  'app.skills.get': agent,
  'app.skills.list': () => [agentFilter()],
  'app.skills.wait': agent,
  'app.skills.executions': () => [executionFilter()],
  'app.skills.executionLog': async (world) => {
    const id = await world.agentId()
    await world.app.skills.run(id, 'echo', { text: 'a' })
    const [execution] = await world.app.skills.executions({ agent_id: id })
    return [execution?.execution_id, { level: 'info', limit: 5 }]
  },
  'app.skills.shutdown': () => [5],
  'app.skills.registry.registerSkill': (world) => [skill(world.name('sing'))],
  'app.skills.registry.registerAll': (world) => [[skill(world.name('sing'))]],
  'app.skills.registry.getSkill': () => ['echo', '1.0.0'],
  'app.skills.registry.hasSkill': () => ['echo', '1.0.0'],
  'app.skills.registry.listVersions': () => ['echo'],
  'app.skills.registry.listSkills': () => [['music']],
  'app.skills.registry.resolveDependencies': () => ['echo'],
  'app.skills.registry.detectCycles': () => ['echo', ['echo']],
  'app.skills.registry.unregister': (world) => {
    const { name } = world.app.skills.registry.registerSkill(skill(world.name('sing')))
    return [name, '1.0.0']
  },
  'app.skills.bus.publish': () => ['topic.a', { a: 1 }, send()],
  'app.skills.bus.send': async (world) => [await world.agentId(), { a: 1 }, send()],
  'app.skills.bus.dispatch': async (world) => [{ ...message(), recipient_id: await world.agentId() }],
  'app.skills.bus.request': async (world) => [
    await world.agentId(),
    { a: 1 },
    { sender_id: 'system', priority: 3, ttl: 60, timeout: 0.01, signal: AbortSignal.timeout(60_000) },
  ],
  'app.skills.execute': () => ['echo', { text: 'a' }, run()],
  'app.skills.bus.reply': async (world) => {
    const id = await world.agentId()
    return [{ ...message(), message_id: 'm', sender_id: id, correlation_id: 'c' }, { a: 1 }, { priority: 3 }]
  },
  'skills-runtime.skillTool': () => [skill()],
  'app.skills.bus.subscribe': () => ['topic.*', () => undefined],
  'app.skills.bus.receive': async (world) => {
    const id = await world.agentId()
    await world.app.skills.bus.send(id, { a: 1 })
    return [id, { timeout: 0.01, signal: AbortSignal.timeout(60_000) }]
  },
  'app.skills.bus.tryReceive': agent,
  'app.skills.bus.closeMailbox': agent,
  'app.skills.bus.stored': () => [{ recipient_id: 'a', topic: 't', correlation_id: 'c', sender_id: 's' }],
  'app.skills.bus.close': () => [{ deadline: 5 }],
  'skills-runtime.canTransition': () => ['idle', 'running'],
  'skills-runtime.composeSkill': () => [
    {
      name: 'both',
      version: '1.0.0',
      description: 'Both.',
      steps: [{ skill: 'echo', id: 'a', input: {}, onError: 'abort' }],
    },
  ],
  'skills-runtime.defineSkill': () => [skill()],
  'skills-runtime.skillRecord': () => [skill()],
  'skills-runtime.isRunnable': () => [skill()],
  'skills-runtime.discoverSkillFolders': (world) => [[world.folder]],
  'skills-runtime.loadSkills': (world) => [world.folder, { moduleTimeoutMs: 5, modules: false }],
  'skills-runtime.lockSkills': (world) => [world.folder],
  'skills-runtime.readAgentSkill': (world) => [world.folder],
  'skills-runtime.isAgentSkill': () => [[]],
  'skills-runtime.writeAgentSkill': () => [skillRecord(skill())],
  'skills-runtime.validateSkill': () => [skill()],
  'skills-runtime.validateMessage': () => [message()],
  'skills-runtime.validateSubagent': () => [{ agent_id: 'a', state: 'idle', results: {} }],
  'skills-runtime.validateExecution': () => [{ execution_id: 'a', status: 'running' }, { max_retries: 1 }],
  'skills-runtime.plugin': () => [
    {
      load: [],
      discover: [],
      persistence: true,
      keep: 5,
      limits: {},
      messages: {},
      workers: {},
      backoff: {},
      retryTimeouts: false,
      leaseMs: 5000,
    },
  ],
  'skills-runtime.SubagentManager.open': () => [{ keep: 5, leaseMs: 5000, ids: () => 'id-1' }],
  'new skills-runtime.SubagentManager': () => [{ keep: 5, leaseMs: 5000, ids: () => 'id-1' }],
  'new skills-runtime.MessageBus': () => [
    { agents: () => 'open', mailboxLimit: 5, overflow: 'reject', deadLetterLimit: 5, ids: () => 'id-1' },
  ],
  'new skills-runtime.SkillRegistry': () => [{ id: 'registry', clock: () => new Date(0) }],
  'new skills-runtime.WorkerRunner': () => [{ threads: 1, maxHeapMb: 64, graceMs: 5, idleMs: 5 }],
  'new skills-runtime.NonRetryableError': () => ['It failed.', { cause: 'a' }],
  'skills-runtime/testing.injectFaults': ({ app }) => [app.storage],
  'skills-runtime/testing.watchStore': ({ app }) => [app.storage],
  'skills-runtime/testing.scriptedSkill': () => [
    'sing',
    [{ return: {} }],
    { description: 'Sings.', retryTimeouts: false },
  ],
  'new skills-runtime/testing.VirtualClock': () => ['2024-01-01T00:00:00Z'],
  'skills-runtime/testing.VirtualClock#sleep': () => [0],
  'skills-runtime/testing.VirtualClock#advance': () => [5],
  'skills-runtime/testing.VirtualClock#until': () => [Promise.resolve(1)],
}
