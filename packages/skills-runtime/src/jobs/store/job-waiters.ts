import { abortable } from '@minions/core/coordination'
import { hasEnded, type Job } from '../job/job-schema.js'
import { type JobLedger, noSuchJob } from './job-ledger.js'

interface Waiter {
  readonly resolve: (job: Job) => void
  readonly reject: (error: unknown) => void
}

/** Number of checks after which known jobs are read again, since they may have been removed. */
const ALL_EVERY = 40

/** Callers that wait for jobs to end. Their jobs are read together. */
export class JobWaiters {
  readonly #ledger: JobLedger
  readonly #waiters = new Map<string, Set<Waiter>>()
  readonly #onChange: (isNeeded: boolean) => void
  #polling: Promise<void> | undefined
  #pollAgain = false
  /** Jobs that existed when last read. */
  readonly #known = new Set<string>()
  #polls = 0

  /** `onChange` is called when the first caller arrives, and when the last has left. */
  constructor(ledger: JobLedger, onChange: (isNeeded: boolean) => void) {
    this.#ledger = ledger
    this.#onChange = onChange
  }

  get isNeeded(): boolean {
    return this.#waiters.size > 0
  }

  async wait(jobId: string, signal?: AbortSignal): Promise<Job> {
    signal?.throwIfAborted()
    let forget = () => {}
    const ended = new Promise<Job>((resolve, reject) => {
      const waiter = { resolve, reject }
      const isFirst = !this.isNeeded
      this.#waiters.set(jobId, (this.#waiters.get(jobId) ?? new Set()).add(waiter))
      forget = () => this.#forget(jobId, waiter)
      if (isFirst) this.#onChange(true)
    })
    this.poll()
    return abortable(ended, signal, forget)
  }

  poll(): void {
    if (!this.isNeeded) return
    this.#pollAgain = true
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined
    })
  }

  close(error: unknown): void {
    for (const jobId of [...this.#waiters.keys()]) this.#settle(jobId, (waiter) => waiter.reject(error))
  }

  async #poll(): Promise<void> {
    while (this.#pollAgain && this.isNeeded) {
      this.#pollAgain = false
      const ids = [...this.#waiters.keys()]
      try {
        const fresh = ids.filter((id) => !this.#known.has(id))
        const isDue = this.#polls++ % ALL_EVERY === 0
        await this.#lookAt(isDue ? ids : fresh)
        if (!isDue && fresh.length < ids.length) this.#resolve(await this.#ledger.endedAmong(ids))
      } catch {
        // The store cannot be reached; the next check tries again.
        return
      }
    }
  }

  /** Reads jobs whether they have ended or not, to find missing ones. */
  async #lookAt(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const found = new Map((await this.#ledger.getMany(ids)).map(({ record }) => [record.job_id, record]))
    for (const id of ids) {
      if (found.has(id)) this.#known.add(id)
      else this.#settle(id, (waiter) => waiter.reject(noSuchJob(id)))
    }
    this.#resolve([...found.values()].filter(hasEnded))
  }

  #resolve(jobs: readonly Job[]): void {
    for (const job of jobs) this.#settle(job.job_id, (waiter) => waiter.resolve(job))
  }

  #settle(jobId: string, settle: (waiter: Waiter) => void): void {
    const waiters = this.#waiters.get(jobId)
    if (waiters === undefined) return
    this.#waiters.delete(jobId)
    this.#known.delete(jobId)
    for (const waiter of waiters) settle(waiter)
    if (!this.isNeeded) this.#onChange(false)
  }

  #forget(jobId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(jobId)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#settle(jobId, () => {})
  }
}
