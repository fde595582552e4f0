import type { Timers } from '@minions/core/coordination'

const MINUTE = 60_000

/** Something that was used, and when; the amount may be corrected later. */
export interface Used {
  readonly at: number
  amount: number
}

/** Counts usage in a sliding minute, so that the limit is never exceeded. */
export class MinuteWindow {
  readonly #capacity: number
  readonly #timers: Timers
  #used: Used[] = []

  constructor(capacity: number, timers: Timers) {
    this.#capacity = capacity
    this.#timers = timers
  }

  /** Milliseconds until that amount can be used. An amount above the limit is allowed after an unused minute. */
  wait(amount: number): number {
    const now = this.#timers.now()
    this.#used = this.#used.filter(({ at }) => now - at < MINUTE)
    const wanted = Math.min(amount, this.#capacity)
    let sum = this.#used.reduce((total, used) => total + used.amount, 0)
    for (const used of this.#used) {
      if (sum + wanted <= this.#capacity) return 0
      sum -= used.amount
      if (sum + wanted <= this.#capacity) return used.at + MINUTE - now
    }
    return 0
  }

  use(amount: number): Used {
    const used = { at: this.#timers.now(), amount }
    this.#used.push(used)
    return used
  }
}
