import { Semaphore } from '@minions/core/coordination'

/** Not one: a transaction that wrongly waits for another one would then always time out. */
const LEAST = 2

/**
 * Limits the number of concurrent transactions of this program. PostgreSQL detects collisions per page, so in a small
 * table unrelated transactions collide, the more the more there are; running fewer of them is then faster. Halved by
 * every collision, raised again by success.
 */
export class Throttle {
  readonly #most: number
  readonly #patience: number
  readonly #slots: Semaphore

  /** `most` at a time; `patience`: milliseconds to wait for a slot, 0 for ever. */
  constructor(most: number, patience: number) {
    this.#most = most
    this.#patience = patience
    this.#slots = new Semaphore(most)
  }

  /** Waits for a slot, first come, first served; false when it took too long. */
  async enter(): Promise<boolean> {
    try {
      await this.#slots.acquire(this.#patience === 0 ? undefined : AbortSignal.timeout(this.#patience))
      return true
    } catch {
      return false
    }
  }

  leave(collided: boolean): void {
    const { limit } = this.#slots
    this.#slots.limit = collided
      ? Math.max(limit / 2, Math.min(LEAST, this.#most))
      : Math.min(limit + 1 / limit, this.#most)
    this.#slots.release()
  }
}
