import { Mutex } from '@minions/core/coordination'
import type { MaybePromise } from '../state/runtime-state.js'

/** A caller's position in the order of arrival. */
export interface Turn {
  /** Resolves when everyone who came before has left. */
  come(): MaybePromise<void>
  /** Lets the next one through. Doing so twice is fine. */
  leave(): void
}

/** Keeps the order in which callers came while each of them gets ready in its own time. */
export class Turnstile {
  readonly #mutex = new Mutex()

  enter(): Turn {
    const waiting = this.#mutex.acquire()
    let hasLeft = false
    return {
      come: () => waiting,
      leave: () => {
        if (hasLeft) return
        hasLeft = true
        if (waiting === undefined) this.#mutex.release()
        else void waiting.then(() => this.#mutex.release())
      },
    }
  }
}
