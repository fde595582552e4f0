import { readClock } from '@minions/core/plugin'
import { Node } from '../graph/node.js'
import { NodeType } from '../graph/node-type.js'
import { Rule } from '../graph/rule.js'
import { RulePriority } from '../graph/rule-priority.js'
import { Workspace, type WorkspaceOptions } from '../graph/workspace.js'

/** A small example workspace: an agent, its task and its knowledge, two rules and some state. */
export function sampleWorkspace(options: WorkspaceOptions): Workspace {
  const created_at = readClock(options.clock)
  const workspace = new Workspace(
    {
      name: 'Sample Workspace',
      description: 'Shows nodes, rules and state at work',
      state: { task_priority: 'high', system_load: 'normal', active_users: 1 },
    },
    options,
  )
  const agent = new Node({
    name: 'Assistant Agent',
    type: NodeType.AGENT,
    properties: { role: 'assistant', capabilities: ['text', 'analysis'] },
    state: { status: 'active', load: 0.3 },
    created_at,
  })
  const task = new Node({
    name: 'Analysis Task',
    type: NodeType.TASK,
    properties: { priority: 'high', estimated_time: '30min' },
    state: { status: 'pending', progress: 0 },
    created_at,
  })
  const knowledge = new Node({
    name: 'Project Knowledge',
    type: NodeType.KNOWLEDGE,
    properties: { domain: 'software', confidence: 0.8 },
    state: { last_updated: created_at },
    created_at,
  })
  for (const node of [agent, task, knowledge]) workspace.addNode(node)
  workspace.connectNodes(agent.id, task.id)
  workspace.connectNodes(agent.id, knowledge.id)
  workspace.addRule(
    new Rule({
      name: 'Assign tasks to agents',
      description: 'Hands pending tasks to the agents that are available',
      condition: { type: 'node_type_exists', node_type: 'agent' },
      action: { type: 'assign_task', target: 'available_agent' },
      priority: RulePriority.HIGH,
      created_at,
    }),
  )
  workspace.addRule(
    new Rule({
      name: 'Check knowledge',
      description: 'Looks at confidence before urgent work relies on it',
      condition: { type: 'state_equals', key: 'task_priority', value: 'high' },
      action: { type: 'validate_knowledge', threshold: 0.7 },
      created_at,
    }),
  )
  return workspace
}
