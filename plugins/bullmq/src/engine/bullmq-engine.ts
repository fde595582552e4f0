import { messageOf } from '@minions/core'
import { withDeadline } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import type { JobsOptions, WorkerOptions } from 'bullmq'
import { queueKey } from './names.js'

/** Milliseconds to wait, on closing, for a server that does not answer. */
export const GRACE = 1000

/** The part of a queue of BullMQ that is used, the same on every backend. */
export interface BareQueue {
  addBulk(jobs: { name: string; data: object; opts: JobsOptions }[]): Promise<unknown>
  add(name: string, data: unknown, opts: JobsOptions): Promise<unknown>
  getJob(id: string): Promise<{ readonly data: unknown } | undefined>
  waitUntilReady(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  close(): Promise<void>
}

interface BareWorker {
  pause(doNotWaitActive?: boolean): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  close(force?: boolean): Promise<void>
}

/** What differs between the backends of BullMQ. */
export interface Backend {
  openQueue(name: string): BareQueue
  openWorker(
    name: string,
    processor: () => Promise<void>,
    options: Pick<WorkerOptions, 'concurrency' | 'lockDuration'>,
  ): BareWorker
  close(): Promise<void>
}

/** Maximum number of concurrent tickets of a worker; each of them takes as many jobs as there are slots. */
const TICKETS_AT_ONCE = 4

/** Milliseconds for which a value of `keep` waits: a job that is never due. */
const NEVER = 100 * 365 * 86_400_000
const KEPT = 'minions-cluster'

export interface TicketWorker {
  /** Fetches no more tickets; current ones are finished. */
  pause(): Promise<void>
  close(): Promise<void>
}

/** BullMQ with the same code on Redis and PostgreSQL. */
export class BullmqEngine {
  readonly #backend: Backend
  readonly #logger: Logger
  readonly #leaseMs: number
  readonly #queues = new Map<string, BareQueue>()

  constructor(backend: Backend, logger: Logger, leaseMs: number) {
    this.#backend = backend
    this.#logger = logger
    this.#leaseMs = leaseMs
  }

  /** Adds tickets to a queue, due after so many milliseconds. One says that jobs may be waiting, which are in the store. */
  async add(queue: string, delays: readonly number[]): Promise<void> {
    const tickets = delays.map((delay) => ({
      name: 'ticket',
      data: {},
      opts: { ...(delay > 0 && { delay }), removeOnComplete: true, removeOnFail: true },
    }))
    await this.#open(queueKey(queue)).addBulk(tickets)
  }

  /** Fetches tickets from now on, or once the server is back. A ticket is finished when the promise resolves. */
  work(name: string, perform: () => Promise<void>): TicketWorker {
    const worker = this.#backend.openWorker(queueKey(name), perform, {
      concurrency: TICKETS_AT_ONCE,
      lockDuration: this.#leaseMs,
    })
    worker.on('error', (error) => this.#report(name, error))
    return {
      pause: () => worker.pause(true),
      close: () => withDeadline(worker.close(), { timeout: GRACE, expired: () => {} }),
    }
  }

  /** Stores a value under a name unless there is one; resolves to the stored one. */
  async keep(name: string, value: string): Promise<string> {
    const queue = this.#open(KEPT)
    await queue.waitUntilReady()
    await queue.add('kept', { value }, { jobId: name, delay: NEVER })
    const data = (await queue.getJob(name))?.data as { readonly value?: unknown } | undefined
    return typeof data?.value === 'string' ? data.value : value
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close().catch(() => {})))
    await this.#backend.close()
  }

  #open(key: string): BareQueue {
    const known = this.#queues.get(key)
    if (known !== undefined) return known
    const queue = this.#backend.openQueue(key)
    queue.on('error', (error) => this.#report(key, error))
    this.#queues.set(key, queue)
    // One whose first connection broke stays unusable.
    queue.waitUntilReady().catch(() => {
      if (this.#queues.get(key) === queue) this.#queues.delete(key)
      return queue.close().catch(() => {})
    })
    return queue
  }

  /** Lost tickets are recovered from the store. */
  #report(queue: string, error: unknown): void {
    this.#logger.debug('a queue of BullMQ failed', { queue, error: messageOf(error) })
  }
}
