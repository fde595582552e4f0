import { cloneJson } from '@minions/core/json'
import { EXECUTION_STATUSES, type SkillExecution } from '../executions/execution-schema.js'
import type { ExecutionLog } from '../executions/log-schema.js'
import { AGENT_STATES, isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import {
  AGENT_ATTRIBUTES,
  type AgentFilter,
  EXECUTION_ATTRIBUTES,
  type ExecutionFilter,
  matches,
  type ParsedFilter,
  parseFilter,
} from './filters.js'
import { noSuchAgent } from './no-such-agent.js'
import type { Checkpoint, Lease, PauseRequest, RunRecord } from './records.js'
import type { AgentChange, AgentSnapshot, AppliedChange, Decide, RuntimeState } from './runtime-state.js'

/** The records of one subagent. They are replaced and never changed, so they can be shared inside the package. */
class Kept implements AgentSnapshot {
  agent: Subagent
  lease: Lease | undefined
  pause: PauseRequest | undefined
  run: RunRecord | undefined
  /** In the order in which they started. */
  executions: SkillExecution[] = []

  constructor(agent: Subagent) {
    this.agent = agent
  }

  get pending(): SkillExecution[] {
    return this.executions.filter(({ status }) => status === 'pending')
  }
}

/**
 * Keeps everything in this process, for tests and for work that need not outlive it. Ended subagents are dropped, with
 * their executions, once there are more than `keep` of them.
 */
export class MemoryState implements RuntimeState {
  readonly durable = false
  readonly #keep: number
  readonly #kept = new Map<string, Kept>()
  readonly #checkpoints = new Map<string, Checkpoint>()
  readonly #logs = new Map<string, ExecutionLog>()
  readonly #ended: string[] = []
  #firstEnded = 0

  constructor(keep = 100_000) {
    this.#keep = keep
  }

  insert(agent: Subagent, change?: AgentChange, later?: () => void): void {
    const kept = new Kept(agent)
    this.#kept.set(agent.agent_id, kept)
    if (change) this.#apply(kept, change)
    later?.()
  }

  update(agentId: string, decide: Decide): AppliedChange {
    const kept = this.#kept.get(agentId)
    if (kept === undefined) throw noSuchAgent(agentId)
    const before = kept.agent
    const change = decide(kept) ?? {}
    this.#apply(kept, change)
    return { before, change }
  }

  store(): void {}

  drop(): void {}

  agent(agentId: string): Subagent | undefined {
    return this.#kept.get(agentId)?.agent
  }

  run(agentId: string): RunRecord | undefined {
    return this.#kept.get(agentId)?.run
  }

  lease(agentId: string): Lease | undefined {
    return this.#kept.get(agentId)?.lease
  }

  execution(executionId: string, agentId: string): SkillExecution | undefined {
    return this.#kept.get(agentId)?.executions.find(({ execution_id }) => execution_id === executionId)
  }

  checkpoint(executionId: string): Checkpoint | undefined {
    return this.#checkpoints.get(executionId)
  }

  log(executionId: string): ExecutionLog | undefined {
    return this.#logs.get(executionId)
  }

  renew(): string[] {
    return []
  }

  agents(filter: AgentFilter): Subagent[] {
    const agents = function* (kept: Iterable<Kept>) {
      for (const { agent } of kept) yield agent
    }
    return select(agents(this.#kept.values()), parseFilter(filter, AGENT_ATTRIBUTES))
  }

  executions(filter: ExecutionFilter): SkillExecution[] {
    const parsed = parseFilter(filter, EXECUTION_ATTRIBUTES)
    const ids = parsed.conditions.get('agent_id')
    const owners = ids === undefined ? this.#kept.values() : new Set(ids.map((id) => this.#kept.get(id)))
    const executions = function* () {
      for (const owner of owners) if (owner !== undefined) yield* owner.executions
    }
    return select(executions(), parsed)
  }

  counts() {
    const kept = [...this.#kept.values()]
    const states = kept.map(({ agent }) => agent.state)
    const statuses = kept.flatMap(({ executions }) => executions.map(({ status }) => status))
    return { agents: count(AGENT_STATES, states), executions: count(EXECUTION_STATUSES, statuses) }
  }

  #apply(kept: Kept, change: AgentChange): void {
    if (change.executions !== undefined) for (const execution of change.executions) keepExecution(kept, execution)
    for (const checkpoint of change.checkpoints ?? []) this.#checkpoints.set(checkpoint.execution_id, checkpoint)
    for (const log of change.logs ?? []) this.#logs.set(log.execution_id, log)
    if (this.#checkpoints.size > 0) for (const id of change.forget ?? []) this.#checkpoints.delete(id)
    if (change.lease !== undefined) kept.lease = change.lease ?? undefined
    if (change.pause !== undefined) kept.pause = change.pause ?? undefined
    if (change.run !== undefined) kept.run = change.run ?? undefined
    if (change.agent === undefined) return
    kept.agent = change.agent
    if (isFinal(change.agent.state)) this.#end(change.agent.agent_id)
  }

  #end(agentId: string): void {
    this.#ended.push(agentId)
    while (this.#ended.length - this.#firstEnded > this.#keep) this.#forget(this.#ended[this.#firstEnded++] as string)
    if (this.#firstEnded <= this.#keep) return
    this.#ended.splice(0, this.#firstEnded)
    this.#firstEnded = 0
  }

  #forget(agentId: string): void {
    if (this.#logs.size > 0) {
      for (const { execution_id } of this.#kept.get(agentId)?.executions ?? []) this.#logs.delete(execution_id)
    }
    this.#kept.delete(agentId)
  }
}

function keepExecution(kept: Kept, execution: SkillExecution): void {
  const { executions } = kept
  const { execution_id } = execution
  let index = executions.length - 1
  while (index >= 0 && executions[index]?.execution_id !== execution_id) index--
  // Nearly all have one, and a list made of one reserves no memory for more.
  if (executions.length === 0) kept.executions = [execution]
  else if (index < 0) executions.push(execution)
  else executions[index] = execution
}

function select<T extends { readonly started_at?: string | null }>(records: Iterable<T>, filter: ParsedFilter): T[] {
  const selected: T[] = []
  for (const record of filter.newestFirst ? [...records].reverse() : records) {
    if (selected.length >= filter.limit) break
    if (matches(filter, record)) selected.push(cloneJson(record))
  }
  return selected
}

function count<Name extends string>(names: readonly Name[], values: readonly Name[]): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  for (const value of values) counts[value]++
  return counts
}
