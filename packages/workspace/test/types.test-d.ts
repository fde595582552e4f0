import { expectTypeOf } from 'vitest'
import {
  type AgentReply,
  createAgent,
  dataFiles,
  ensureWorkspace,
  type NetworkSummary,
  Node,
  NodeType,
  Rule,
  RulePriority,
  resolveWorkspace,
  type Workspace,
  WorkspaceManager,
} from '../src/index.js'

const manager = new WorkspaceManager('~/x')
const workspace = manager.createWorkspace('w')

expectTypeOf(manager.loadWorkspaces()).resolves.toEqualTypeOf<Record<string, Workspace>>()
expectTypeOf(resolveWorkspace({}, 'w')).toEqualTypeOf<Workspace | undefined>()
expectTypeOf(ensureWorkspace(manager, 'w', { createMissing: true }))
  .resolves.toHaveProperty('rootPath')
  .toEqualTypeOf<string>()
expectTypeOf(workspace.getNetworkSummary()).toEqualTypeOf<NetworkSummary>()
expectTypeOf(workspace.evaluateStateLogic()[0]?.inherited_from).toEqualTypeOf<string | null | undefined>()
expectTypeOf(NodeType.AGENT).toEqualTypeOf<'agent'>()
expectTypeOf(RulePriority.CRITICAL).toEqualTypeOf<4>()
expectTypeOf(dataFiles(workspace).read('x')).resolves.toEqualTypeOf<string>()

new Node({ name: 'n', type: 'task' })
new Rule({ name: 'r', priority: 3 })
// @ts-expect-error a node needs a name
new Node({ type: NodeType.TASK })
// @ts-expect-error there is no such type of node
new Node({ name: 'n', type: 'robot' })
// @ts-expect-error priorities are numbers, as in the file
new Rule({ name: 'r', priority: 'HIGH' })
// @ts-expect-error keys are those of the file
workspace.inheritedRules

const agent = createAgent('a', { model: async (messages) => messages.map(({ content }) => content).join() })
expectTypeOf(agent.run('x')).resolves.toEqualTypeOf<AgentReply>()
// @ts-expect-error an agent needs a model
createAgent('a', {})
// @ts-expect-error a model gives text
createAgent('a', { model: () => 5 })
