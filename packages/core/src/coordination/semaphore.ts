import { guardMethods, requireFunction } from '../errors/guard.js'
import { Fifo } from './fifo.js'

/** Limits how many run at once, first come, first served. */
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

  /** Changes the limit from now on. Running callers are not affected. */
  set limit(limit: number) {
    this.#limit = limit
    this.#admit()
  }

  /** True if a slot is free at once. Work that is done when it returns needs no slot then. */
  get isFree(): boolean {
    return this.#acquired < this.#limit
  }

  /**
   * Takes a slot: `undefined` when one is free, which saves a turn of the event loop. Every slot must be released.
   * Throws, or rejects with, the reason of the signal; then there is no slot to release.
   */
  acquire(signal?: AbortSignal): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (this.isFree) {
      this.#acquired++
      return undefined
    }
    return this.#wait(signal)
  }

  // Apart from `acquire`, which would otherwise allocate for these closures even if a slot is free.
  #wait(signal: AbortSignal | undefined): Promise<void> {
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

  /** Returns a slot, handing it directly to the longest-waiting caller so that no other can take it in between. */
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
    while (this.#waiting.size > 0 && this.isFree) {
      this.#acquired++
      this.#waiting.shift()?.()
    }
  }
}

guardMethods(Semaphore, { callsBack: ['run'] })
