import type { Timers } from '@minions/core/coordination'

/** A clock and timers that move only when they are told to. */
export class ManualTime implements Timers {
  #now: number
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>()

  constructor(start = Date.parse('2025-12-19T10:00:00.000Z')) {
    this.#now = start
  }

  readonly clock = () => this.#now

  get pending(): number {
    return this.#timers.size
  }

  now(): number {
    return this.#now
  }

  set(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Lets time pass, calling back in order, and lets what was called back finish. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    for (;;) {
      const next = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#now = Math.max(this.#now, next.at)
      this.#timers.delete(next)
      next.callback()
      await settle()
    }
    this.#now = end
    await settle()
  }
}

/** Lets everything run that waits for nothing but its turn. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
