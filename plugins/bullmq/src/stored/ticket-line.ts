import { messageOf } from '@minions/core'

/** Maximum number of tickets waiting to be added to one queue. */
const MOST_PENDING = 10_000

/** Pending tickets for one queue: those that arrive while others are being added go together. */
export class TicketLine {
  readonly #send: (delays: readonly number[]) => Promise<void>
  readonly #now: () => number
  readonly #failed: (error: string) => void
  /** When each is due, in milliseconds; one is enough for all jobs that are due at a time. */
  #pending = new Set<number>()
  #adding: Promise<void> | undefined

  constructor(send: (delays: readonly number[]) => Promise<void>, now: () => number, failed: (error: string) => void) {
    this.#send = send
    this.#now = now
    this.#failed = failed
  }

  add(dueAt: number): void {
    // That many wait only while the server is unavailable, and then workers read the store.
    if (this.#pending.size >= MOST_PENDING) return
    this.#pending.add(dueAt <= this.#now() ? 0 : dueAt)
    this.#adding ??= this.#run().finally(() => {
      this.#adding = undefined
    })
  }

  async settled(): Promise<void> {
    await this.#adding
  }

  async #run(): Promise<void> {
    // Jobs that are announced together come one by one.
    await Promise.resolve()
    while (this.#pending.size > 0) {
      const due = this.#pending
      this.#pending = new Set()
      const now = this.#now()
      try {
        await this.#send([...due].map((dueAt) => Math.max(0, dueAt - now)))
      } catch (error) {
        this.#failed(messageOf(error))
      }
    }
  }
}
