import { Semaphore, sleep, type Timers } from '@minions/core/coordination'
import type { SharedLimits, SharedRateLimiter, SharedSlots } from '@minions/core/plugin'
import type { EffectiveLimits } from './limits.js'
import { MinuteWindow, type Used } from './minute-window.js'

/** Throttles calls to one model to its limits, first come, first served. */
export class RateGate {
  readonly #running: Semaphore
  readonly #timers: Timers
  readonly #requests: MinuteWindow | undefined
  readonly #tokens: MinuteWindow | undefined
  readonly #admission = new Semaphore(1)
  readonly #slots: SharedSlots | undefined
  readonly #rate: SharedRateLimiter | undefined
  #pausedUntil = 0

  /** With `shared`, concurrent calls and calls per minute are counted across all processes; tokens are counted here. */
  constructor(
    limits: Pick<EffectiveLimits, 'concurrency' | 'requestsPerMinute' | 'tokensPerMinute'>,
    timers: Timers,
    shared?: { readonly limits: SharedLimits; readonly model: string },
  ) {
    const name = `models/${shared?.model}`
    this.#slots = shared?.limits.slots(name, limits.concurrency)
    if (limits.requestsPerMinute !== undefined) {
      this.#rate = shared?.limits.rate(name, { points: limits.requestsPerMinute, duration: 60 })
    }
    this.#running = new Semaphore(limits.concurrency)
    this.#timers = timers
    this.#requests =
      limits.requestsPerMinute === undefined ? undefined : new MinuteWindow(limits.requestsPerMinute, timers)
    this.#tokens = limits.tokensPerMinute === undefined ? undefined : new MinuteWindow(limits.tokensPerMinute, timers)
  }

  /** Runs a call that will use about that many tokens, once there is capacity. It reports the actual number. */
  async run<T>(
    tokens: number,
    signal: AbortSignal | undefined,
    work: (settle: (used: number) => void) => Promise<T>,
  ): Promise<T> {
    return this.#running.run(async () => {
      const used = await this.#admission.run(() => this.#admit(tokens, signal), signal)
      const release = await this.#slots?.acquire(signal)
      try {
        await this.#countCall(signal)
        return await work((amount) => {
          if (used) used.amount = amount
        })
      } finally {
        release?.()
      }
    }, signal)
  }

  /** Blocks all calls for that many milliseconds, because the provider requested it. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#timers.now() + milliseconds)
  }

  /** Counts a call in the minute of all processes, and waits for the next one if that is full. */
  async #countCall(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      try {
        return await this.#rate?.consume('calls')
      } catch (refused) {
        const wait = (refused as { readonly msBeforeNext?: unknown } | null)?.msBeforeNext
        if (typeof wait !== 'number') throw refused
        await sleep(wait, this.#timers, signal)
      }
    }
  }

  async #admit(tokens: number, signal: AbortSignal | undefined): Promise<Used | undefined> {
    for (;;) {
      const wait = Math.max(
        this.#pausedUntil - this.#timers.now(),
        this.#requests?.wait(1) ?? 0,
        this.#tokens?.wait(tokens) ?? 0,
      )
      if (wait <= 0) break
      await sleep(Math.ceil(wait), this.#timers, signal)
    }
    this.#requests?.use(1)
    return this.#tokens?.use(tokens)
  }
}
