import type { AgentCounts, ExecutionCounts } from '../state/runtime-state.js'

/** Current counts. */
export interface SkillsStats {
  /** Subagents by state. */
  readonly agents: AgentCounts
  /** Executions by status. */
  readonly executions: ExecutionCounts
  /** Subagents that run in this process. */
  readonly running: number
  /** Runs that wait for capacity in this process. */
  readonly queued: number
  /** Names in the registry. */
  readonly skills: number
}
