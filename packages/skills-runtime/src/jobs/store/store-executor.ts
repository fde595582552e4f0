import { type Clock, messageOf } from '@minions/core'
import { repeat, systemTimers, type Timers } from '@minions/core/coordination'
import { guardMethods, type IdSource, type Logger, silentLogger, takeOptions } from '@minions/core/plugin'
import type { StoreAccess, Wake } from '@minions/core/storage'
import { skillsError } from '../../errors.js'
import type { ClusterStatus } from '../cluster-status.js'
import type { Executor, ExecutorCapabilities, JobFilter, WorkerEndpoint, WorkerLink } from '../executor.js'
import type { Job } from '../job/job-schema.js'
import type { NewJob } from '../job/new-job.js'
import { jobsCollection, limitsCollection } from './collections.js'
import { JobLedger, usableId } from './job-ledger.js'
import { JobWaiters } from './job-waiters.js'
import type { LinkParts } from './link-parts.js'
import { readStatus } from './read-status.js'
import { StoreLink } from './store-link.js'
import { WorkerRoster } from './worker-roster.js'

/** Milliseconds between two checks of awaited jobs, if commits cannot be watched. */
const WAIT_POLL = 250
/** Milliseconds between two removals of old jobs. */
const PRUNE_EVERY = 60_000

export interface StoreExecutorOptions {
  /** Must have been opened with `jobsCollections`. */
  readonly store: StoreAccess
  /**
   * Calls back after commits, including those of other processes; returns a function that ends it. `watchChanges` of a
   * backend is one.
   */
  readonly watch?: ((wake: Wake) => () => void) | undefined
  /** True if other processes can reach the store; true by default. */
  readonly shared?: boolean | undefined
  /** Milliseconds without a heartbeat after which other workers take the jobs of a worker; 5,000 by default. */
  readonly leaseMs?: number | undefined
  /**
   * Notifies all workers that these jobs are waiting, so that their links are rung (`StoreLink.ring`). Without it,
   * workers check after every commit that `watch` reports.
   */
  readonly announce?: ((jobs: readonly Job[]) => void) | undefined
  /** Maximum number of jobs that may wait; no limit by default. */
  readonly maxWaiting?: number | undefined
  /** Milliseconds for which completed and cancelled jobs are kept; a day by default. Failed ones stay. */
  readonly keepFor?: number | undefined
  readonly clock?: Clock | undefined
  readonly timers?: Timers | undefined
  readonly ids?: IdSource | undefined
  readonly log?: Logger | undefined
  /** Name and process of this machine, for the cluster's status. */
  readonly host?: { readonly name: string; readonly pid: number } | undefined
}

/** Workers on the store: jobs are records that workers claim, on every backend that processes can share. */
export class StoreExecutor implements Executor {
  readonly name: string = 'store'
  readonly capabilities: ExecutorCapabilities
  readonly ledger: JobLedger
  readonly roster: WorkerRoster
  readonly #store: StoreAccess
  readonly #parts: LinkParts
  readonly #clock: Clock
  readonly #waiters: JobWaiters
  readonly #links = new Set<StoreLink>()
  readonly #keepFor: number
  #stopWatching: (() => void) | undefined
  #stopPruning: (() => void) | undefined
  #isClosed = false

  constructor(given: StoreExecutorOptions) {
    const options = takeOptions('The options of an executor', given)
    const { store, clock = Date.now, timers = systemTimers, log = silentLogger, leaseMs = 5000 } = options
    const { ids, maxWaiting, keepFor = 86_400_000, watch = () => () => {}, shared = true } = options
    this.capabilities = { shared, durable: shared, limits: true, fair: true }
    this.#store = store
    this.#clock = clock
    this.#keepFor = keepFor
    this.ledger = new JobLedger(store, { clock, maxWaiting, ...(ids && { ids }) })
    this.roster = new WorkerRoster(store)
    this.#parts = {
      store,
      ledger: this.ledger,
      roster: this.roster,
      clock,
      timers,
      log,
      leaseMs,
      announce: options.announce,
      watch,
      host: options.host ?? { name: 'localhost', pid: 0 },
      changed: () => this.#waiters.poll(),
      taken: (workerId, jobs) => {
        log.warn('jobs were taken from a dead worker', { worker_id: workerId, jobs: jobs.length })
        options.announce?.(jobs)
      },
    }
    this.#waiters = new JobWaiters(this.ledger, (isNeeded) => this.#watchFor(isNeeded))
  }

  async submit(jobs: readonly NewJob[]): Promise<Job[]> {
    this.#requireOpen()
    const added = await this.ledger.add(jobs)
    this.#parts.announce?.(added)
    return added
  }

  async get(jobId: string): Promise<Job | undefined> {
    return this.ledger.get(jobId)
  }

  async list(filter?: JobFilter): Promise<Job[]> {
    return this.ledger.list(filter)
  }

  async wait(jobId: string, options: { readonly signal?: AbortSignal } = {}): Promise<Job> {
    this.#requireOpen()
    // An unreadable id would block the reads of all waiting callers.
    return this.#waiters.wait(usableId(jobId), options.signal)
  }

  async cancel(jobId: string): Promise<Job> {
    return this.ledger.cancel(jobId)
  }

  async resend(jobId: string): Promise<Job> {
    const job = await this.ledger.resend(jobId)
    this.#parts.announce?.([job])
    return job
  }

  async remove(jobId: string): Promise<void> {
    return this.ledger.remove(jobId)
  }

  connect(worker: WorkerEndpoint): Promise<WorkerLink> {
    return this.join(worker)
  }

  /** Like `connect`; the link can also be rung, for jobs that are announced. */
  async join(worker: WorkerEndpoint): Promise<StoreLink> {
    this.#requireOpen()
    const link = await StoreLink.open(this.#parts, worker)
    this.#links.add(link)
    this.#stopPruning ??= this.#prune()
    return link
  }

  async setLimit(skillName: string, limit: number | null): Promise<void> {
    if (limit === null) await this.#store.delete(limitsCollection, skillName)
    else await this.#store.put(limitsCollection, { skill_name: skillName, limit })
  }

  async status(): Promise<ClusterStatus> {
    return readStatus(this.name, this.#store, this.#clock)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#waiters.close(skillsError('CLOSED', 'The executor was closed while a caller waited for a job.'))
    this.#stopPruning?.()
    await Promise.all([...this.#links].map((link) => link.drain(0)))
    this.#links.clear()
  }

  #watchFor(isNeeded: boolean): void {
    this.#stopWatching?.()
    this.#stopWatching = undefined
    if (!isNeeded) return
    const { watch, timers } = this.#parts
    const poll = async () => this.#waiters.poll()
    const stopWatching = watch((collections) => {
      if (collections?.has(jobsCollection.name) ?? true) void poll()
    })
    const stopPolling = repeat(WAIT_POLL, poll, () => {}, timers)
    this.#stopWatching = () => {
      stopWatching()
      stopPolling()
    }
  }

  #prune(): () => void {
    const { timers, log } = this.#parts
    const failed = (error: unknown) => log.warn('old jobs could not be removed', { error: messageOf(error) })
    const prune = async () => void (await this.ledger.prune(this.#keepFor))
    return repeat(PRUNE_EVERY, prune, failed, timers, { background: true })
  }

  #requireOpen(): void {
    if (this.#isClosed) throw skillsError('CLOSED', 'The executor is closed.')
  }
}

guardMethods(StoreExecutor)
