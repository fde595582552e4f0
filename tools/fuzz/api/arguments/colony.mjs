// @ts-check
import { deterministicRoles, exampleMission, exampleTools } from '@minions/colony'
import { artifactExamples, MissionIndex } from '@minions/colony-contracts'
import { Type } from 'typebox'

/** @import { Arguments } from '../targets.mjs' */
/** @import { World } from '../world.mjs' */

const { envelope } = exampleMission
const tenant = () => ({ tenantId: String(envelope.tenant_id) })
const examples = () => structuredClone(artifactExamples)
const settings = () => ({ concurrency: 1, onFailure: 'fail', maxAttempts: 1 })
const run = () => ({ ...settings(), signal: AbortSignal.timeout(60_000), onProgress: () => undefined })
const ofMission = async (/** @type {World} */ world) => {
  await world.app.colony.start(envelope).catch(() => undefined)
  return [envelope.mission_id, tenant()]
}
const missionOnly = async (/** @type {World} */ world) => [(await ofMission(world))[0]]
const task = () => {
  const { mission_id, tasks } = examples().mission_task_graph
  return { task_id: String(tasks[0]?.task_id), mission_id }
}
const progress = () => ({
  mission_id: envelope.mission_id,
  tenant_id: 'acme',
  status: 'running',
  active: true,
  tasks: [{ task_id: 'a', role_type: 'researcher', status: 'pending', depends_on: [], attempts: 1 }],
})
const policy = () => {
  const { mission_envelope, mission_task_graph, prompt_package, librarian_pass, policy_decision } = examples()
  return {
    envelope: mission_envelope,
    task: mission_task_graph.tasks[0],
    packages: [prompt_package],
    passes: [librarian_pass],
    decisions: [policy_decision],
    at: 0,
    config: { toolsBySensitivity: {}, requirePass: false, allowUnapprovedWriteback: false },
    skillTools: ['a'],
  }
}
const index = () => new MissionIndex(examples().mission_envelope)

/** Missions and their artifacts. @type {Record<string, Arguments>} */
export const colonyArguments = {
  'colony.colony': () => [{ roles: deterministicRoles(), tools: exampleTools(), ...settings() }],
  'colony.defaultPromptId': () => ['research'],
  'colony.deterministicRoles': () => [{ leads: exampleMission.leads, reports: exampleMission.reports }],
  'colony.exampleTools': () => [{ leads: exampleMission.leads, reports: exampleMission.reports }],
  'colony.firstDifference': () => [{ a: [1] }, { a: [2] }, '/x'],
  'colony.missionDiagram': () => [progress()],
  'colony.missionText': () => [progress()],
  'colony.modelRoles': () => [{ model: () => ({}), maxAttempts: 1 }],
  'new colony.TaskQueue': () => [() => 1],
  'colony.TaskQueue#add': () => [examples().mission_task_graph, new Set()],
  'colony.TaskQueue#complete': () => ['a'],
  'app.colony.run': () => [{ ...structuredClone(envelope) }, run()],
  'app.colony.start': () => [{ ...structuredClone(envelope) }, run()],
  'app.colony.forTenant': () => ['acme'],
  'app.colony.resume': async (world) => [(await ofMission(world))[0], { ...tenant(), ...run(), retryFailed: true }],
  'app.colony.list': () => [{ ...tenant(), status: 'running', limit: 5 }],
  'app.colony.status': ofMission,
  'app.colony.watch': ofMission,
  'app.colony.cancel': ofMission,
  'app.colony.replay': ofMission,
  'app.colony.toMermaid': ofMission,
  'app.colony.toText': ofMission,
  'app.contracts.store.put': () => [examples().mission_envelope],
  'app.contracts.store.putMany': () => [[examples().mission_envelope, examples().mission_task_graph]],
  'app.contracts.store.forTenant': () => ['acme'],
  'app.contracts.store.ledger': () => [envelope.mission_id],
  'app.contracts.store.newLedger': () => [examples().mission_envelope, 'r1', []],
  'app.contracts.store.transaction': () => [async () => 1],
  'app.contracts.store.registry.register': (world) => [
    {
      name: world.name('kind').replace('-', '_'),
      version: 'v1',
      schema: Type.Object({}),
      idField: 'note_id',
      upcastFrom: {},
    },
  ],
  'app.contracts.store.registry.versions': () => ['mission_envelope'],
  'app.contracts.store.registry.kind': () => ['mission_envelope', 'v1'],
  'app.contracts.store.registry.idOf': () => [examples().mission_envelope],
  'app.contracts.store.registry.validate': () => [examples().mission_envelope],
  'app.contracts.store.registry.parse': () => [JSON.stringify(examples().mission_envelope)],
  'app.contracts.store.registry.upcast': () => [examples().mission_envelope, 'v1'],
  'app.contracts.gate.checkTool': async (world) => {
    await world.app.contracts.store.putMany([examples().mission_envelope, examples().mission_task_graph])
    return [task(), 'crm', { skillTools: ['crm'] }]
  },
  'app.contracts.gate.checkDataScope': async (world) => {
    await world.app.contracts.store.putMany([examples().mission_envelope, examples().mission_task_graph])
    return [task(), 'crm']
  },
  'app.contracts.gate.assertToolAllowed': async (world) => {
    await world.app.contracts.store.putMany([examples().mission_envelope, examples().mission_task_graph])
    return [task(), String(examples().mission_task_graph.tasks[0]?.allowed_tools[0]), { skillTools: ['crm'] }]
  },
  'app.contracts.gate.assertDataScopeAllowed': async (world) => {
    await world.app.contracts.store.putMany([examples().mission_envelope, examples().mission_task_graph])
    return [task(), 'crm']
  },
  'colony.TenantMissions#resume': async (world) => [(await ofMission(world))[0], run()],
  'colony.TenantMissions#status': missionOnly,
  'colony.TenantMissions#watch': missionOnly,
  'colony.TenantMissions#cancel': missionOnly,
  'colony.TenantMissions#replay': missionOnly,
  'colony.TenantMissions#toMermaid': missionOnly,
  'colony.TenantMissions#toText': missionOnly,
  'colony-contracts.MissionIndex#has': () => ['rev_1'],
  'colony-contracts.MissionIndex#task': () => ['a'],
  'forTenant()#get': () => [envelope.mission_id, 'mission_envelope', envelope.mission_id],
  'forTenant()#list': () => ['mission_envelope', { missionId: envelope.mission_id, limit: 5 }],
  'forTenant()#all': () => [{ missionId: envelope.mission_id }],
  'forTenant()#mission': () => [envelope.mission_id],
  'forTenant()#missions': () => [{ limit: 5 }],
  'forTenant()#task': () => [envelope.mission_id, 'a'],
  'forTenant()#application': () => [envelope.mission_id, 'a'],
  'forTenant()#applications': () => [{ limit: 5 }],
  'app.contracts.proposals.list': () => [{ ...tenant(), missionId: envelope.mission_id, status: 'pending', limit: 5 }],
  'colony-contracts.artifactHash': () => [examples().review_packet],
  'colony-contracts.artifactId': () => [examples().review_packet],
  'colony-contracts.colonyContracts': () => [{ policy: policy().config, kinds: [] }],
  'colony-contracts.completeArtifact': () => [examples().review_packet, examples().mission_envelope],
  'colony-contracts.evaluateDataScope': () => [policy(), 'crm'],
  'colony-contracts.evaluateTool': () => [policy(), 'crm'],
  'colony-contracts.evaluateWriteback': () => [
    examples().writeback_proposal,
    [examples().policy_decision],
    policy().config,
  ],
  'colony-contracts.executionOrder': () => [examples().mission_task_graph],
  'colony-contracts.isArtifact': () => [examples().review_packet, 'review_packet'],
  'colony-contracts.isOfKind': () => [examples().review_packet, 'review_packet'],
  'colony-contracts.linkageProblems': () => [examples().review_packet, index()],
  'colony-contracts.parseArtifact': () => [JSON.stringify(examples().review_packet)],
  'colony-contracts.validateArtifact': () => [examples().review_packet],
  'colony-contracts.validateMission': () => [Object.values(examples()), {}],
  'colony-contracts.validateTaskGraph': () => [examples().mission_task_graph],
  'new colony-contracts.MissionIndex': () => [examples().mission_envelope, index()],
  'colony-contracts.MissionIndex#add': () => [examples().review_packet, 'rev_1'],
  'colony-contracts.MissionIndex#addTasks': () => [examples().mission_task_graph.tasks, 0],
  'colony-contracts.MissionIndex#passesHadExpired': () => ['a', 0],
}
