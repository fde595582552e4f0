import type { Timers } from './timers.js'

/** A deadline whose clock can stand still. */
export class StoppableDeadline {
  readonly #timers: Timers
  readonly #expire: () => void
  #remaining: number
  #startedAt = 0
  #cancel: (() => void) | undefined

  constructor(timers: Timers, milliseconds: number, expire: () => void) {
    this.#timers = timers
    this.#remaining = milliseconds
    this.#expire = expire
  }

  /** Lets the clock run, at first or again. */
  start(): void {
    if (this.#cancel !== undefined) return
    this.#startedAt = this.#timers.now()
    this.#cancel = this.#timers.set(Math.max(0, this.#remaining), this.#expire)
  }

  /** Makes the clock stand still. */
  stop(): void {
    if (this.#cancel === undefined) return
    this.#cancel()
    this.#cancel = undefined
    this.#remaining -= this.#timers.now() - this.#startedAt
  }
}
