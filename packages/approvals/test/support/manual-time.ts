import type { Timers } from '@minions/core/coordination'

/** A clock that stands still until it is moved, and timers that follow it. */
export class ManualTime {
  millis = Date.parse('2026-01-01T00:00:00.000Z')
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>()

  readonly clock = () => this.millis

  readonly timers: Timers = {
    now: () => this.millis,
    set: (milliseconds, callback) => {
      const timer = { at: this.millis + milliseconds, callback }
      this.#timers.add(timer)
      return () => void this.#timers.delete(timer)
    },
  }

  /** Moves the clock on; timers that are due by then fire, in order. */
  advance(milliseconds: number): void {
    this.millis += milliseconds
    const due = [...this.#timers].filter(({ at }) => at <= this.millis).sort((a, b) => a.at - b.at)
    for (const timer of due) if (this.#timers.delete(timer)) timer.callback()
  }
}
