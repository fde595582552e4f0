import type { ExecutionStatus } from '../executions/execution-schema.js'
import type { AgentState } from '../subagents/agent-state.js'

/** The ids that correlate events and log lines; mission and task come from the metadata. */
export interface AgentIds {
  readonly agent_id: string
  readonly mission_id?: string
  readonly task_id?: string
}

export interface ExecutionIds extends AgentIds {
  readonly execution_id: string
  readonly skill_name: string
  readonly skill_version: string
}

/** The events of the runtime, by name. They are emitted after the change was stored. */
export interface SkillsEvents {
  'agent.spawned': AgentIds
  /** A subagent went from one state to another. */
  'agent.transition': AgentIds & { readonly from: AgentState; readonly to: AgentState; readonly error: string | null }
  'agent.pause-requested': AgentIds
  'execution.started': ExecutionIds
  'execution.retried': ExecutionIds & { readonly retry_count: number }
  'execution.ended': ExecutionIds & {
    readonly status: ExecutionStatus
    readonly error: string | null
    readonly duration_ms: number
    readonly retry_count: number
  }
  'execution.progress': ExecutionIds & { readonly fraction: number; readonly note: string | undefined }
  'execution.checkpoint': ExecutionIds
  /** A result arrived after its attempt had timed out or was cancelled, and was discarded. */
  'execution.late': ExecutionIds
  'lease.lost': AgentIds
}
