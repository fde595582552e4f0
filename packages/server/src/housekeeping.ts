import type { Logger } from '@minions/core/plugin'

/** Milliseconds between two sweeps. */
const EVERY = 60 * 60 * 1000

/** Removes expired records from time to time, while requests arrive. */
export class Housekeeping {
  readonly #tasks: readonly (() => Promise<void>)[]
  readonly #logger: Logger
  #nextAt = 0
  #sweeping: Promise<void> = Promise.resolve()

  constructor(tasks: readonly (() => Promise<void>)[], logger: Logger) {
    this.#tasks = tasks
    this.#logger = logger
  }

  /** Sweeps in the background if a sweep is due. */
  due(): void {
    const now = performance.now()
    if (now < this.#nextAt) return
    this.#nextAt = now + EVERY
    this.#sweeping = this.sweep()
  }

  async sweep(): Promise<void> {
    for (const task of this.#tasks) {
      await task().catch((error: unknown) => this.#logger.warn('Old records could not be removed.', { error }))
    }
  }

  /** Waits for a sweep in progress. */
  settle(): Promise<void> {
    return this.#sweeping
  }
}
