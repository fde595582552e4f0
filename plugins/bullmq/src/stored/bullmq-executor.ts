import { generateId } from '@minions/core'
import { withDeadline } from '@minions/core/coordination'
import { guarded, silentLogger, takeOptions } from '@minions/core/plugin'
import {
  type ClusterStatus,
  type Executor,
  type ExecutorCapabilities,
  type Job,
  type JobFilter,
  type NewJob,
  StoreExecutor,
  type StoreExecutorOptions,
  type WorkerEndpoint,
  type WorkerLink,
} from '@minions/skills-runtime/jobs'
import { type Engine, GRACE } from '../engine/engine.js'
import { openEngine } from '../engine/open-engine.js'
import { bullmqError } from '../errors.js'
import { type BullmqSettings, checkSettings } from '../options.js'
import { BullmqLink } from './bullmq-link.js'
import { clusterIdOf } from './cluster-id.js'
import { TicketOffice } from './ticket-office.js'

export interface BullmqExecutorOptions
  extends BullmqSettings,
    Pick<StoreExecutorOptions, 'store' | 'watch' | 'keepFor' | 'clock' | 'timers' | 'ids' | 'log' | 'host'> {}

/**
 * Delivers jobs to workers through BullMQ. The store holds the jobs, and must have been opened with `jobsCollections`
 * and `bullmqCollections`; BullMQ announces them. Throws `QUEUE_UNREACHABLE`, `QUEUE_REFUSED` or `PREFIX_IN_USE`.
 */
export const bullmqExecutor = guarded('bullmqExecutor', bullmqExecutorUnchecked)

async function bullmqExecutorUnchecked(options: BullmqExecutorOptions): Promise<Executor> {
  const {
    store,
    watch,
    keepFor,
    clock = Date.now,
    timers,
    ids = generateId,
    log = silentLogger,
    host,
    ...settings
  } = takeOptions('The executor', options)
  checkSettings(settings)
  const engine = await openEngine(settings, log)
  try {
    const { prefix = 'minions', leaseMs, maxWaiting } = settings
    const own = await clusterIdOf(store, ids)
    const owner = await engine.keep('cluster', own)
    if (owner !== own) {
      const text = `Jobs of another store are announced under the prefix "${prefix}"; choose another "prefix", or the same store.`
      throw bullmqError('PREFIX_IN_USE', text, { details: { prefix } })
    }
    const tickets = new TicketOffice(engine, clock, log)
    const executor = new StoreExecutor({
      store,
      clock,
      ids,
      log,
      announce: (jobs) => tickets.announce(jobs),
      ...(watch && { watch }),
      ...(keepFor !== undefined && { keepFor }),
      ...(timers && { timers }),
      ...(host && { host }),
      ...(leaseMs !== undefined && { leaseMs }),
      ...(maxWaiting !== undefined && { maxWaiting }),
    })
    return new BullmqExecutor(executor, engine, tickets)
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** An executor of the store whose jobs are announced by BullMQ. */
class BullmqExecutor implements Executor {
  readonly name = 'bullmq'
  readonly capabilities: ExecutorCapabilities
  readonly #jobs: StoreExecutor
  readonly #engine: Engine
  readonly #tickets: TicketOffice
  readonly #links = new Set<BullmqLink>()
  #closing: Promise<void> | undefined

  constructor(jobs: StoreExecutor, engine: Engine, tickets: TicketOffice) {
    this.#jobs = jobs
    this.#engine = engine
    this.#tickets = tickets
    this.capabilities = jobs.capabilities
  }

  submit(jobs: readonly NewJob[]): Promise<Job[]> {
    return this.#jobs.submit(jobs)
  }

  get(jobId: string): Promise<Job | undefined> {
    return this.#jobs.get(jobId)
  }

  list(filter?: JobFilter): Promise<Job[]> {
    return this.#jobs.list(filter)
  }

  wait(jobId: string, options?: { readonly signal?: AbortSignal }): Promise<Job> {
    return this.#jobs.wait(jobId, options)
  }

  cancel(jobId: string): Promise<Job> {
    return this.#jobs.cancel(jobId)
  }

  resend(jobId: string): Promise<Job> {
    return this.#jobs.resend(jobId)
  }

  remove(jobId: string): Promise<void> {
    return this.#jobs.remove(jobId)
  }

  async connect(worker: WorkerEndpoint): Promise<WorkerLink> {
    const link = new BullmqLink(this.#engine, this.#tickets, worker, await this.#jobs.connect(worker))
    this.#links.add(link)
    return link
  }

  setLimit(skillName: string, limit: number | null): Promise<void> {
    return this.#jobs.setLimit(skillName, limit)
  }

  async status(): Promise<ClusterStatus> {
    return { ...(await this.#jobs.status()), executor: this.name }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#links].map((link) => link.drain(0)))
    await this.#jobs.close()
    // While the server is unavailable, workers find the jobs in the store.
    await withDeadline(this.#tickets.settled(), { timeout: GRACE, expired: () => {} })
    await this.#engine.close()
  }
}
