import { getOwn } from '@minions/core/json'
import type { SkillExecution } from '../executions/execution-schema.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import type { AgentIds, ExecutionIds } from './events.js'

/** The ids of a subagent; those of mission and task when its metadata has them. */
export function agentIds(agent: {
  readonly agent_id: string
  readonly metadata?: Subagent['metadata'] | undefined
}): AgentIds {
  const { agent_id, metadata } = agent
  const mission = metadata ? getOwn(metadata, 'mission_id') : undefined
  const task = metadata ? getOwn(metadata, 'task_id') : undefined
  if (mission === undefined && task === undefined) return { agent_id }
  return {
    agent_id,
    ...(typeof mission === 'string' && { mission_id: mission }),
    ...(typeof task === 'string' && { task_id: task }),
  }
}

export function executionIds(agent: AgentIds, execution: SkillExecution): ExecutionIds {
  const { execution_id, skill_name, skill_version } = execution
  return { ...agent, execution_id, skill_name, skill_version }
}
