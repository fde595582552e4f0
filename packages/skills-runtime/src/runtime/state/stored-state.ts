import { Mutex } from '@minions/core/coordination'
import { type Collection, type Expectation, type StoreAccess, WriteBatch } from '@minions/core/storage'
import { skillsError } from '../../errors.js'
import { isUsableKey } from '../../validation.js'
import { EXECUTION_STATUSES, type SkillExecution } from '../executions/execution-schema.js'
import type { ExecutionLog } from '../executions/log-schema.js'
import { AGENT_STATES, isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
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
  AGENT_ATTRIBUTES,
  type AgentFilter,
  EXECUTION_ATTRIBUTES,
  type ExecutionFilter,
  type ParsedFilter,
  parseFilter,
  toWhere,
} from './filters.js'
import { noSuchAgent } from './no-such-agent.js'
import type { Checkpoint, Lease, RunRecord } from './records.js'
import type { AgentChange, AgentSnapshot, AppliedChange, Decide, MaybePromise, RuntimeState } from './runtime-state.js'

/** Maximum number of optimistic-write retries. */
const MAX_TRIES = 10

/** A subagent as it was last read or written here. */
interface Known {
  readonly snapshot: AgentSnapshot
  /** Absent until it is stored. */
  readonly revision?: string | undefined
  readonly unstored?: Unstored | undefined
  /** The expected lease when it is taken over: its holder renews it without changing the subagent. */
  readonly expectLease?: Expectation
  /** True if executions of the subagent may have checkpoints. */
  readonly hasCheckpoints: boolean
}

/** Deferred writes of a subagent, and the callback for when they are stored. */
interface Unstored {
  readonly change: AgentChange
  readonly stored: () => void
}

/** A subagent that this process runs. Its changes are written one after another. */
interface Held {
  readonly mutex: Mutex
  known: Known | undefined
}

/**
 * Keeps everything in declared collections. Every change is one batch with compare-and-set on the subagent, whose
 * revision changes with everything but checkpoints, log lines and renewals of the lease. So a process that runs a
 * subagent knows its state without reading, and is refused once another process has taken it over, ended it or
 * requested a pause.
 */
export class StoredState implements RuntimeState {
  readonly durable = true
  readonly #store: StoreAccess
  readonly #held = new Map<string, Held>()

  constructor(store: StoreAccess) {
    this.#store = store
  }

  insert(agent: Subagent, change: AgentChange = {}, later?: () => void): MaybePromise<void> {
    if (later === undefined) return this.#insert(agent, change)
    this.#keep(agent.agent_id, { ...idle(agent), unstored: { change, stored: later } }, change)
  }

  async #insert(agent: Subagent, change: AgentChange): Promise<void> {
    const { batch, revision } = batchOf(idle(agent), change)
    await this.#store.write(batch)
    this.#keep(agent.agent_id, idle(agent), change, revision)
  }

  update(agentId: string, decide: Decide, options: { readonly pending?: boolean } = {}): Promise<AppliedChange> {
    const key = usableKey(agentId)
    const held = this.#held.get(key)
    return held ? held.mutex.run(() => this.#update(key, decide, options)) : this.#update(key, decide, options)
  }

  async store(agentId: string): Promise<void> {
    const held = this.#held.get(agentId)
    await held?.mutex.run(async () => {
      if (this.#held.get(agentId)?.known?.unstored) await this.#update(agentId, () => undefined, {})
    })
  }

  drop(agentId: string): void {
    this.#held.delete(agentId)
  }

  async #update(key: string, decide: Decide, options: { readonly pending?: boolean }): Promise<AppliedChange> {
    for (let attempt = 1; ; attempt++) {
      const remembered = this.#held.get(key)
      const known = remembered?.known ?? (await this.#read(key))
      const { snapshot } = known
      const pending = options.pending ? await this.#pendingOf(key, known) : snapshot.pending
      let change: AgentChange
      try {
        change = decide({ ...snapshot, pending }) ?? {}
      } catch (error) {
        // Another process may have changed the cached state, so only a fresh read can refuse.
        if (remembered?.known === undefined || known.unstored) throw error
        remembered.known = undefined
        continue
      }
      const { batch, revision } = batchOf(known, change)
      const committed = []
      for (const work of change.also ?? []) committed.push(await work(batch, attempt))
      try {
        await this.#store.write(batch)
      } catch (error) {
        // The cached state is stale, or the write succeeded although it reported a failure.
        const held = this.#held.get(key)
        if (held && (known.unstored === undefined || isAboutAgent(error))) held.known = undefined
        if (attempt < MAX_TRIES && skillsError.is(error, 'CONFLICT')) continue
        throw error
      }
      this.#keep(key, { ...known, unstored: undefined }, change, revision)
      known.unstored?.stored()
      for (const tell of committed) tell?.()
      return { before: snapshot.agent, change }
    }
  }

  /** Remembers a subagent while this process has its lease. */
  #keep(key: string, { snapshot: before, unstored, hasCheckpoints }: Known, change: AgentChange, revision?: string) {
    if (change.lease === null) this.drop(key)
    const held = this.#held.get(key)
    if (held === undefined && !change.lease) return
    const { agent, lease, pause, run } = before
    const snapshot: AgentSnapshot = {
      agent: change.agent ?? agent,
      lease: change.lease ?? lease,
      pause: change.pause === null ? undefined : (change.pause ?? pause),
      run: change.run === null ? undefined : (change.run ?? run),
      pending: [],
    }
    const known = { snapshot, revision, unstored, hasCheckpoints: hasCheckpoints || !!change.checkpoints?.length }
    if (held) held.known = known
    else this.#held.set(key, { mutex: new Mutex(), known })
  }

  /** Reads the subagent first, so that a later change of the rest shows in its revision. */
  async #read(key: string): Promise<Known> {
    const found = await this.#store.getRevised(subagentsCollection, key)
    if (found === undefined) throw noSuchAgent(key)
    const { record: agent, revision } = found
    if (agent.state === 'idle' || isFinal(agent.state)) return idle(agent, revision)
    const lease = await this.#store.getRevised(leasesCollection, key)
    const pause = await this.#store.get(pauseRequestsCollection, key)
    const run = await this.#store.get(runsCollection, key)
    const snapshot = { agent, lease: lease?.record, pause, run, pending: [] }
    const expectLease: Expectation = lease ? { ifRevision: lease.revision } : { ifAbsent: true }
    return { snapshot, revision, expectLease, hasCheckpoints: true }
  }

  async #pendingOf(agentId: string, { unstored }: Known): Promise<SkillExecution[]> {
    if (unstored) return [...(unstored.change.executions ?? [])]
    const pending: SkillExecution[] = []
    const where = { agent_id: agentId, status: 'pending' }
    for await (const { record } of this.#store.iterate(executionsCollection, { where })) pending.push(record)
    return pending
  }

  async agent(agentId: string): Promise<Subagent | undefined> {
    const known = this.#held.get(agentId)?.known
    if (known?.unstored) return known.snapshot.agent
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

  renew(all: readonly Lease[]): Promise<string[]> {
    const leases = all.filter(({ agent_id }) => this.#held.get(agent_id)?.known?.unstored === undefined)
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
    return this.#list(subagentsCollection, parseFilter(filter, AGENT_ATTRIBUTES))
  }

  executions(filter: ExecutionFilter): Promise<SkillExecution[]> {
    return this.#list(executionsCollection, parseFilter(filter, EXECUTION_ATTRIBUTES))
  }

  async counts() {
    const agents = await this.#count(subagentsCollection, 'state', AGENT_STATES)
    return { agents, executions: await this.#count(executionsCollection, 'status', EXECUTION_STATUSES) }
  }

  async #list<T>(collection: Collection<T>, filter: ParsedFilter): Promise<T[]> {
    const records: T[] = []
    if (filter.limit === 0) return records
    const limit = Math.min(filter.limit, 1000)
    const { createdAt } = collection.declaration
    const newest = filter.newestFirst && createdAt !== null
    const order = newest && { orderBy: [{ field: createdAt, direction: 'desc' as const }] }
    for await (const { record } of this.#store.iterate(collection, { where: toWhere(filter), limit, ...order })) {
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

/** No subagent has an id that is not a usable key. Throws `NOT_FOUND`. */
function usableKey(agentId: string): string {
  if (!isUsableKey(agentId)) throw noSuchAgent(agentId)
  return agentId
}

/** A subagent that does not run, which has no records but its own. */
function idle(agent: Subagent, revision?: string): Known {
  const snapshot = { agent, lease: undefined, pause: undefined, run: undefined, pending: [] }
  return { snapshot, revision, hasCheckpoints: false }
}

/** The writes of a change, and the revision that the subagent has after them. */
function batchOf(known: Known, change: AgentChange): { batch: WriteBatch; revision: string | undefined } {
  const batch = new WriteBatch()
  const { revision: ifRevision, snapshot, unstored } = known
  const { agent } = snapshot
  let revision = ifRevision
  if (ifRevision === undefined) {
    const whole = unstored ? both(unstored.change, change) : change
    revision = batch.put(subagentsCollection, whole.agent ?? agent, { ifAbsent: true })
    addRest(batch, idle(agent), whole)
  } else {
    if (isLoud(change)) revision = batch.put(subagentsCollection, change.agent ?? agent, { ifRevision })
    else if (change.checkpoints?.length || change.logs?.length)
      batch.check(subagentsCollection, agent.agent_id, { ifRevision })
    addRest(batch, known, change)
  }
  return { batch, revision }
}

function both(first: AgentChange, second: AgentChange): AgentChange {
  const ended = new Set(second.executions?.map(({ execution_id }) => execution_id))
  const executions = first.executions?.filter(({ execution_id }) => !ended.has(execution_id)) ?? []
  return { ...first, ...second, executions: [...executions, ...(second.executions ?? [])] }
}

/** True if a write was refused because of the subagent itself, not because of work committed with it. */
function isAboutAgent(error: unknown): boolean {
  return skillsError.is(error, 'CONFLICT') && error.details.collection === subagentsCollection.name
}

/** True if a change concerns processes other than the one that runs the subagent. */
function isLoud({ agent, lease, pause, run, executions, forget, also }: AgentChange): boolean {
  return (
    !!(executions?.length || forget?.length || also?.length || agent) ||
    [lease, pause, run].some((value) => value !== undefined)
  )
}

function addRest(batch: WriteBatch, { snapshot, expectLease, hasCheckpoints }: Known, change: AgentChange): void {
  const key = snapshot.agent.agent_id
  const { lease, pause, run, executions = [], checkpoints = [], logs = [], forget = [] } = change
  if (lease) batch.put(leasesCollection, lease, expectLease)
  else if (lease === null && snapshot.lease) batch.delete(leasesCollection, key)
  if (pause) batch.put(pauseRequestsCollection, pause)
  else if (pause === null && snapshot.pause) batch.delete(pauseRequestsCollection, key)
  if (run) batch.put(runsCollection, run)
  else if (run === null && snapshot.run) batch.delete(runsCollection, key)
  for (const execution of executions) batch.put(executionsCollection, execution)
  for (const checkpoint of checkpoints) batch.put(checkpointsCollection, checkpoint)
  for (const log of logs) batch.put(executionLogsCollection, log)
  if (hasCheckpoints) for (const id of forget) batch.delete(checkpointsCollection, id)
}
