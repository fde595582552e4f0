import { type Clock, timestamp } from '@minions/core'
import { sleep, type Timers } from '@minions/core/coordination'
import { guardMethods, readMillis } from '@minions/core/plugin'
import { storeCalls } from './watch-store.js'

/** After that many idle turns of the event loop, nothing more happens until time passes. */
const IDLE_TURNS = 5

interface Timer {
  readonly at: number
  readonly order: number
  readonly callback: () => void
}

/**
 * Time that passes only on demand. Pass `clock` and `timers` to the runtime, or simply `...virtual.parts`.
 */
export class VirtualClock {
  readonly #timers = new Set<Timer>()
  #now: number
  #order = 0

  /** Milliseconds since 1970, or a date; the first of January 2026 by default. */
  constructor(start: number | string | Date = '2026-01-01T00:00:00.000Z') {
    this.#now = readMillis(() => start)
  }

  readonly clock: Clock = () => this.#now

  readonly timers: Timers = {
    now: () => this.#now,
    set: (milliseconds, callback) => {
      const timer = { at: this.#now + Math.max(0, Math.ceil(milliseconds)), order: this.#order++, callback }
      this.#timers.add(timer)
      return () => this.#timers.delete(timer)
    },
  }

  /** The options that put this clock into a runtime. */
  get parts(): { readonly clock: Clock; readonly timers: Timers } {
    return { clock: this.clock, timers: this.timers }
  }

  get now(): number {
    return this.#now
  }

  /** The current time as RFC 3339. */
  get timestamp(): string {
    return timestamp(this.#now)
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size
  }

  /** Resolves after that many virtual milliseconds. */
  sleep(milliseconds: number): Promise<void> {
    return sleep(milliseconds, this.timers)
  }

  /** Advances time, timer by timer, running everything that each of them triggers. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    await settle()
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#fire(next)
      await settle()
    }
    this.#now = Math.max(this.#now, end)
    await settle()
  }

  /** Advances time just enough for a promise to settle. Throws if no timer remains. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let settled = false
    const done = () => {
      settled = true
    }
    promise.then(done, done)
    for (await settle(); !settled; await settle()) {
      const next = this.#next(Number.POSITIVE_INFINITY)
      if (next === undefined) throw new Error('No timer remains, and the promise is still pending.')
      this.#fire(next)
    }
    return promise
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.at > end) continue
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer
    }
    return first
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer)
    this.#now = Math.max(this.#now, timer.at)
    timer.callback()
  }
}

guardMethods(VirtualClock, { except: ['until'] })

/** Runs everything that does not wait for time, and waits for watched stores. */
export async function settle(): Promise<void> {
  for (let idle = 0; idle < IDLE_TURNS; idle++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (storeCalls() > 0) idle = -1
  }
}
