import type { CommitWork } from '../../skills/definition/skill-context.js'
import type { ExecutionStatus, SkillExecution } from '../executions/execution-schema.js'
import type { ExecutionLog } from '../executions/log-schema.js'
import type { AgentState } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import type { AgentFilter, ExecutionFilter } from './filters.js'
import type { Checkpoint, Lease, PauseRequest, RunRecord } from './records.js'

export type MaybePromise<T> = T | Promise<T>

/** A snapshot of all records of one subagent. */
export interface AgentSnapshot {
  readonly agent: Subagent
  readonly lease: Lease | undefined
  readonly pause: PauseRequest | undefined
  readonly run: RunRecord | undefined
  /** Executions that have not ended; present only on request. */
  readonly pending: readonly SkillExecution[]
}

/** The writes of a change, all or none; null removes. */
export interface AgentChange {
  readonly agent?: Subagent
  readonly lease?: Lease | null
  readonly pause?: PauseRequest | null
  readonly run?: RunRecord | null
  readonly executions?: readonly SkillExecution[]
  readonly checkpoints?: readonly Checkpoint[]
  /** What executions have logged, each as a whole. */
  readonly logs?: readonly ExecutionLog[]
  /** Executions whose checkpoints are no longer needed. */
  readonly forget?: readonly string[]
  /** Adds to the same batch, where there is one. */
  readonly also?: readonly CommitWork[]
}

/** Decides on the change of a subagent. Pure and synchronous: it may be called again; throwing changes nothing. */
export type Decide = (snapshot: AgentSnapshot) => AgentChange | undefined

export interface AppliedChange {
  readonly before: Subagent
  readonly change: AgentChange
}

export type AgentCounts = Record<AgentState, number>
export type ExecutionCounts = Record<ExecutionStatus, number>

/**
 * Where the runtime keeps its records. `update` is the only way to change a subagent, and it is atomic: of two
 * decisions the second sees what the first wrote, even from another process.
 */
export interface RuntimeState {
  /** True if records outlive the process, so that leases are needed. */
  readonly durable: boolean
  /**
   * Adds a subagent, optionally changed at once. With `later` it may be stored with its next change; `later` is then
   * called.
   */
  insert(agent: Subagent, change?: AgentChange, later?: () => void): MaybePromise<void>
  /** Throws `NOT_FOUND` when there is no such subagent. */
  update(agentId: string, decide: Decide, options?: { readonly pending?: boolean }): MaybePromise<AppliedChange>
  /** Stores a deferred subagent, if it is not stored yet. */
  store(agentId: string): MaybePromise<void>
  /** Drops the cached state of a subagent that no longer runs here. */
  drop(agentId: string): void
  agent(agentId: string): MaybePromise<Subagent | undefined>
  run(agentId: string): MaybePromise<RunRecord | undefined>
  lease(agentId: string): MaybePromise<Lease | undefined>
  execution(executionId: string, agentId: string): MaybePromise<SkillExecution | undefined>
  checkpoint(executionId: string): MaybePromise<Checkpoint | undefined>
  log(executionId: string): MaybePromise<ExecutionLog | undefined>
  /** Renews leases; resolves to the subagents whose lease now has another token. */
  renew(leases: readonly Lease[]): MaybePromise<string[]>
  agents(filter: AgentFilter): MaybePromise<Subagent[]>
  executions(filter: ExecutionFilter): MaybePromise<SkillExecution[]>
  counts(): MaybePromise<{ readonly agents: AgentCounts; readonly executions: ExecutionCounts }>
}
