import { generateId } from '@minions/core'
import { withDeadline } from '@minions/core/coordination'
import { guarded, silentLogger, takeOptions } from '@minions/core/plugin'
import {
  type Executor,
  StoreExecutor,
  type StoreExecutorOptions,
  type WorkerEndpoint,
  type WorkerLink,
} from '@minions/skills-runtime/jobs'
import { type BullmqEngine, GRACE } from '../engine/bullmq-engine.js'
import { openEngine } from '../engine/open-engine.js'
import { queueFailure } from '../engine/queue-failure.js'
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
 * and `bullmqCollections`; BullMQ announces them. Throws `QUEUE_UNREACHABLE`, `QUEUE_REFUSED`, `QUEUE_SERVER_FULL` or
 * `PREFIX_IN_USE`.
 */
export const bullmqExecutor = guarded('bullmqExecutor', async (options: BullmqExecutorOptions): Promise<Executor> => {
  const { store, watch, keepFor, timers, host, ...given } = takeOptions('The executor', options)
  const { clock = Date.now, ids = generateId, log = silentLogger, ...settings } = given
  checkSettings(settings)
  const engine = await openEngine(settings, log)
  try {
    const { prefix = 'minions', leaseMs, maxWaiting } = settings
    const own = await clusterIdOf(store, ids)
    const owner = await engine.keep('cluster', own).catch((error: unknown) => {
      throw queueFailure(error, settings.url)
    })
    if (owner !== own) {
      const text = `Jobs of another store are announced under the prefix "${prefix}"; choose another "prefix", or the same store.`
      throw bullmqError('PREFIX_IN_USE', text, { details: { prefix } })
    }
    const tickets = new TicketOffice(engine, clock, log)
    const announce: StoreExecutorOptions['announce'] = (jobs) => tickets.announce(jobs)
    const jobs = { store, clock, ids, log, watch, keepFor, timers, host, leaseMs, maxWaiting, announce }
    return new BullmqExecutor(jobs, engine, tickets)
  } catch (error) {
    await engine.close()
    throw error
  }
})

class BullmqExecutor extends StoreExecutor {
  override readonly name = 'bullmq'
  readonly #engine: BullmqEngine
  readonly #tickets: TicketOffice
  readonly #links = new Set<BullmqLink>()
  #closing: Promise<void> | undefined

  constructor(options: StoreExecutorOptions, engine: BullmqEngine, tickets: TicketOffice) {
    super(options)
    this.#engine = engine
    this.#tickets = tickets
  }

  override async connect(worker: WorkerEndpoint): Promise<WorkerLink> {
    const link = new BullmqLink(this.#engine, this.#tickets, worker, await this.join(worker))
    this.#links.add(link)
    return link
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#links].map((link) => link.drain(0)))
    await super.close()
    // While the server is unavailable, workers find the jobs in the store.
    await withDeadline(this.#tickets.settled(), { timeout: GRACE, expired: () => {} })
    await this.#engine.close()
  }
}
