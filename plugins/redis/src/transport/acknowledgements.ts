import { messageOf } from '@minions/core'
import { sleep, type Timers } from '@minions/core/coordination'
import { getOrInsert } from '@minions/core/json'
import type { Logger } from '@minions/core/plugin'
import type { Membership } from '../cluster/membership.js'
import type { Answer, Frame } from './frame.js'

const PAUSE_AFTER_FAILURE = 100

/** Answers to other members, many in one entry. One that cannot be sent is retried: its sender waits for it. */
export class Acknowledgements {
  readonly #membership: Membership
  readonly #timers: Timers
  readonly #logger: Logger
  #waiting = new Map<string, (readonly [number, Answer])[]>()
  #flushing: Promise<void> | undefined
  #isClosed = false

  constructor(membership: Membership, timers: Timers, logger: Logger) {
    this.#membership = membership
    this.#timers = timers
    this.#logger = logger
  }

  add(to: string, seq: number, answer: Answer): void {
    getOrInsert(this.#waiting, to, () => []).push([seq, answer])
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined
    })
  }

  /** Resolves when all pending ones have been sent, or at once if Redis is unavailable. */
  async close(isAway: boolean): Promise<void> {
    this.#isClosed = true
    if (!isAway) await this.#flushing
  }

  async #flush(): Promise<void> {
    // Everything from one turn of the event loop is sent together.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const batch = this.#waiting
      this.#waiting = new Map()
      await Promise.all([...batch].map(([to, acks]) => this.#send(to, acks)))
    }
  }

  async #send(to: string, acks: readonly (readonly [number, Answer])[]): Promise<void> {
    const frame = JSON.stringify({ from: this.#membership.id, acks } satisfies Frame)
    for (;;) {
      try {
        return await this.#membership.answer(to, frame)
      } catch (error) {
        this.#logger.warn('an acknowledgement could not be sent', { error: messageOf(error) })
        if (this.#isClosed) return
        await sleep(PAUSE_AFTER_FAILURE, this.#timers)
      }
    }
  }
}
