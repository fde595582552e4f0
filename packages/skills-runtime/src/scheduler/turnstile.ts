import type { MaybePromise } from '../state/runtime-state.js'
import { Fifo } from './fifo.js'

/** Somebody's place in the order of arrival. */
export interface Turn {
  /** Resolves when everybody who came before has gone through or away. */
  come(): MaybePromise<void>
  /** Lets the next one through. Doing so twice is fine. */
  leave(): void
}

interface Arrival {
  gone: boolean
  call: (() => void) | undefined
}

/** Keeps the order in which callers came while each of them gets ready in its own time. */
export class Turnstile {
  readonly #arrivals = new Fifo<Arrival>()

  enter(): Turn {
    const arrival: Arrival = { gone: false, call: undefined }
    this.#arrivals.push(arrival)
    return {
      come: () => {
        if (arrival.gone || this.#arrivals.peek() === arrival) return
        return new Promise((resolve) => {
          arrival.call = resolve
        })
      },
      leave: () => {
        if (arrival.gone) return
        arrival.gone = true
        while (this.#arrivals.peek()?.gone) this.#arrivals.shift()
        this.#arrivals.peek()?.call?.()
      },
    }
  }
}
