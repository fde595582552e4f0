import type { Timers } from '@minions/core/coordination'

export class PausableDeadline {
  readonly #timers: Timers
  readonly #expire: () => void
  #remaining: number
  #elapsed = 0
  #startedAt = 0
  #cancel: (() => void) | undefined

  constructor(timers: Timers, milliseconds: number, expire: () => void) {
    this.#timers = timers
    this.#remaining = milliseconds
    this.#expire = expire
  }

  start(): void {
    if (this.#cancel !== undefined) return
    this.#startedAt = this.#timers.now()
    this.#cancel = this.#timers.set(Math.max(0, this.#remaining), this.#expire)
  }

  stop(): void {
    if (this.#cancel === undefined) return
    this.#cancel()
    this.#cancel = undefined
    const passed = this.#timers.now() - this.#startedAt
    this.#remaining -= passed
    this.#elapsed += passed
  }

  get elapsed(): number {
    return this.#elapsed + (this.#cancel === undefined ? 0 : this.#timers.now() - this.#startedAt)
  }
}
