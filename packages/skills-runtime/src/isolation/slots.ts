/** A number of places, taken first come, first served. */
export class Slots {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** Takes a place, waiting for one if need be. Throws the reason of the signal. */
  acquire(signal: AbortSignal): Promise<void> | undefined {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(enter)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.add(enter)
    })
  }

  /** Gives a place back, to the one who has waited longest. */
  release(): void {
    const [enter] = this.#waiting
    if (enter === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(enter)
    enter()
  }
}
