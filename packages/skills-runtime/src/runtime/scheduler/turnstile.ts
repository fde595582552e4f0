import { Mutex } from '@minions/core/coordination'
import type { MaybePromise } from '../state/runtime-state.js'

/** A caller's position in the order of arrival. */
export interface Turn {
  /** Resolves when everyone who came before has left. */
  come(): MaybePromise<void>
  /** Lets the next one through. Calling it twice is fine. */
  leave(): void
}

/** Preserves the order of callers while each prepares at its own pace. */
export class Turnstile {
  readonly #mutex = new Mutex()

  enter(): Turn {
    return new TakenTurn(this.#mutex, this.#mutex.acquire())
  }
}

class TakenTurn implements Turn {
  readonly #mutex: Mutex
  readonly #waiting: Promise<void> | undefined
  #hasLeft = false

  constructor(mutex: Mutex, waiting: Promise<void> | undefined) {
    this.#mutex = mutex
    this.#waiting = waiting
  }

  come(): MaybePromise<void> {
    return this.#waiting
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    if (this.#waiting === undefined) this.#mutex.release()
    else void this.#waiting.then(() => this.#mutex.release())
  }
}
