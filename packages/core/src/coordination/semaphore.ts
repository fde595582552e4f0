import { guardMethods, requireFunction } from '../errors/guard.js'
import { Fifo } from './fifo.js'

/** Lets so many run at once, first come, first served. */
export class Semaphore {
  #limit: number
  readonly #waiting = new Fifo<() => void>()
  #acquired = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get limit(): number {
    return this.#limit
  }

  /** How many run at once from now on. Those that run already go on. */
  set limit(limit: number) {
    this.#limit = limit
    this.#admit()
  }

  /**
   * Takes a slot: `undefined` when one is free, which spares a turn of the event loop. Every slot must be released. Throws,
   * or rejects with, the reason of the signal; then there is nothing to release.
   */
  acquire(signal?: AbortSignal): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (this.#acquired < this.#limit) {
      this.#acquired++
      return undefined
    }
    return new Promise((resolve, reject) => {
      const entry = this.#waiting.push(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = () => {
        this.#waiting.delete(entry)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Gives a slot back, straight to the caller that has waited longest: no other can take it in between. */
  release(): void {
    this.#acquired--
    this.#admit()
  }

  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    requireFunction('Semaphore.run', work)
    await this.acquire(signal)
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  #admit(): void {
    while (this.#waiting.size > 0 && this.#acquired < this.#limit) {
      this.#acquired++
      this.#waiting.shift()?.()
    }
  }
}

guardMethods(Semaphore, { callsBack: ['run'] })
