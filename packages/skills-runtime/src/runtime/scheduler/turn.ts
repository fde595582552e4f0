import type { Mutex } from '@minions/core/coordination'
import type { MaybePromise } from '../state/runtime-state.js'

/** A caller's position in the order of arrival, which is preserved while each prepares at its own pace. */
export class Turn {
  readonly #mutex: Mutex
  readonly #waiting: Promise<void> | undefined
  #hasLeft = false

  constructor(mutex: Mutex) {
    this.#mutex = mutex
    this.#waiting = mutex.acquire()
  }

  /** Resolves when everyone who came before has left. */
  come(): MaybePromise<void> {
    return this.#waiting
  }

  /** Lets the next one through. Calling it twice is fine. */
  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    if (this.#waiting === undefined) this.#mutex.release()
    else void this.#waiting.then(() => this.#mutex.release())
  }
}
