import { expect, it } from 'vitest'
import { Node, NodeType, Rule, RulePriority, resolveWorkspace, WorkspaceManager } from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

it('runs the quick start of the specification', async () => {
  const manager = new WorkspaceManager(await temporaryDirectory())
  const ws = manager.createWorkspace('research', 'My research workspace')
  const agent = new Node({ name: 'Assistant', type: NodeType.AGENT })
  const task = new Node({ name: 'Summarize', type: NodeType.TASK })
  ws.addNode(agent)
  ws.addNode(task)
  ws.connectNodes(agent.id, task.id)
  ws.addRule(
    new Rule({
      name: 'Has an agent',
      priority: RulePriority.HIGH,
      condition: { type: 'node_type_exists', node_type: 'agent' },
      action: { type: 'assign_task' },
    }),
  )
  ws.state.system_load = 'normal'
  await manager.saveWorkspaces({ [ws.id]: ws })

  const same = resolveWorkspace(await manager.loadWorkspaces(), 'research')
  expect(same?.id).toBe(ws.id)
  expect(same?.getNetworkSummary()).toEqual({
    total_nodes: 2,
    node_types: { agent: 1, task: 1 },
    total_connections: 1,
    total_rules: 1,
    inherited_rules: 0,
    current_state_keys: ['system_load'],
  })
  expect(same?.evaluateStateLogic()).toEqual([
    {
      rule_id: Object.keys(ws.rules)[0],
      rule_name: 'Has an agent',
      action: { type: 'assign_task' },
      priority: 3,
      inherited_from: null,
    },
  ])
})
