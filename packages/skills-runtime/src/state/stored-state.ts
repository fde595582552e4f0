import { type Collection, isMinionsError, type StoreAccess, type StoreTransaction } from '@minions/core'
import { EXECUTION_STATUSES, type SkillExecution } from '../execution/execution-schema.js'
import type { ExecutionLog } from '../execution/log-schema.js'
import { AGENT_STATES } from '../subagent/agent-state.js'
import type { Subagent } from '../subagent/subagent-schema.js'
import {
  checkpointsCollection,
  executionLogsCollection,
  executionsCollection,
  leasesCollection,
  pauseRequestsCollection,
  runsCollection,
  subagentsCollection,
} from './collections.js'
import {
  type AgentFilter,
  type ExecutionFilter,
  type ParsedFilter,
  parseAgentFilter,
  parseExecutionFilter,
  toWhere,
} from './filters.js'
import { noSuchAgent } from './no-such-agent.js'
import type { Checkpoint, Lease, RunRecord } from './records.js'
import type { AgentChange, AgentCounts, AppliedChange, Decide, ExecutionCounts, RuntimeState } from './runtime-state.js'

/** How often a decision is made anew because another process was quicker. */
const MAX_TRIES = 10

/** Keeps everything in declared collections. Each update is one transaction with compare-and-set on the subagent. */
export class StoredState implements RuntimeState {
  readonly durable = true
  readonly #store: StoreAccess

  constructor(store: StoreAccess) {
    this.#store = store
  }

  async insert(agent: Subagent): Promise<void> {
    await this.#store.put(subagentsCollection, agent, { ifAbsent: true })
  }

  async update(agentId: string, decide: Decide, options: { readonly pending?: boolean } = {}): Promise<AppliedChange> {
    const key = usableKey(agentId)
    for (let tries = 1; ; tries++) {
      // A conflict that the decision itself reports is final; only one of the store's is worth another look.
      let refused: unknown
      try {
        return await this.#store.transaction(async (tx) => {
          refused = undefined
          const found = await tx.getRevised(subagentsCollection, key)
          if (found === undefined) throw noSuchAgent(agentId)
          const snapshot = {
            agent: found.record,
            lease: await tx.get(leasesCollection, key),
            pause: await tx.get(pauseRequestsCollection, key),
            run: await tx.get(runsCollection, key),
            pending: options.pending ? await pendingOf(tx, key) : [],
          }
          let change: AgentChange
          try {
            change = decide(snapshot) ?? {}
          } catch (error) {
            refused = error
            throw error
          }
          await write(tx, key, change, found.revision)
          return { before: found.record, change }
        })
      } catch (error) {
        if (refused !== undefined || tries >= MAX_TRIES || !isMinionsError(error, 'CONFLICT')) throw error
      }
    }
  }

  async agent(agentId: string): Promise<Subagent | undefined> {
    return this.#store.get(subagentsCollection, usableKey(agentId))
  }

  async run(agentId: string): Promise<RunRecord | undefined> {
    return this.#store.get(runsCollection, usableKey(agentId))
  }

  async lease(agentId: string): Promise<Lease | undefined> {
    return this.#store.get(leasesCollection, usableKey(agentId))
  }

  async execution(executionId: string): Promise<SkillExecution | undefined> {
    return this.#store.get(executionsCollection, executionId)
  }

  async checkpoint(executionId: string): Promise<Checkpoint | undefined> {
    return this.#store.get(checkpointsCollection, executionId)
  }

  async log(executionId: string): Promise<ExecutionLog | undefined> {
    return this.#store.get(executionLogsCollection, executionId)
  }

  renew(leases: readonly Lease[]): Promise<string[]> {
    return this.#store.transaction(async (tx) => {
      const ids = leases.map(({ agent_id }) => agent_id)
      const stored = await tx.getMany(leasesCollection, ids)
      const isOurs = leases.map(({ token }, index) => stored[index]?.record.token === token)
      await tx.putMany(
        leasesCollection,
        leases.filter((_, index) => isOurs[index]),
      )
      return ids.filter((_, index) => !isOurs[index])
    })
  }

  agents(filter: AgentFilter): Promise<Subagent[]> {
    return this.#list(subagentsCollection, parseAgentFilter(filter))
  }

  executions(filter: ExecutionFilter): Promise<SkillExecution[]> {
    return this.#list(executionsCollection, parseExecutionFilter(filter))
  }

  async countAgents(): Promise<AgentCounts> {
    return this.#count(subagentsCollection, 'state', AGENT_STATES)
  }

  async countExecutions(): Promise<ExecutionCounts> {
    return this.#count(executionsCollection, 'status', EXECUTION_STATUSES)
  }

  async #list<T>(collection: Collection<T>, filter: ParsedFilter): Promise<T[]> {
    const records: T[] = []
    if (filter.limit === 0) return records
    const limit = Math.min(filter.limit, 1000)
    for await (const { record } of this.#store.iterate(collection, { where: toWhere(filter), limit })) {
      records.push(record)
      if (records.length >= filter.limit) break
    }
    return records
  }

  async #count<Name extends string>(collection: Collection, attribute: string, values: readonly Name[]) {
    const counts: Partial<Record<Name, number>> = {}
    for (const value of values) counts[value] = await this.#store.count(collection, { where: { [attribute]: value } })
    return counts as Record<Name, number>
  }
}

/** Keys may not be empty or contain what databases cannot hold; no subagent has such an id. */
function usableKey(agentId: string): string {
  if (typeof agentId !== 'string' || agentId === '' || agentId.length > 128 || !agentId.isWellFormed()) {
    throw noSuchAgent(agentId)
  }
  return agentId.includes('\0') ? 'none' : agentId
}

async function pendingOf(tx: StoreTransaction, agentId: string): Promise<SkillExecution[]> {
  const pending: SkillExecution[] = []
  const where = { agent_id: agentId, status: 'pending' }
  for await (const { record } of tx.iterate(executionsCollection, { where })) pending.push(record)
  return pending
}

async function write(tx: StoreTransaction, agentId: string, change: AgentChange, revision: string): Promise<void> {
  const { agent, lease, pause, run, executions = [], checkpoints = [], logs = [], forget = [], also = [] } = change
  if (agent) await tx.put(subagentsCollection, agent, { ifRevision: revision })
  if (lease) await tx.put(leasesCollection, lease)
  else if (lease === null) await tx.delete(leasesCollection, agentId)
  if (pause) await tx.put(pauseRequestsCollection, pause)
  else if (pause === null) await tx.delete(pauseRequestsCollection, agentId)
  if (run) await tx.put(runsCollection, run)
  else if (run === null) await tx.delete(runsCollection, agentId)
  await tx.putMany(executionsCollection, executions)
  await tx.putMany(checkpointsCollection, checkpoints)
  await tx.putMany(executionLogsCollection, logs)
  await tx.deleteMany(checkpointsCollection, forget)
  for (const work of also) await work(tx)
}
