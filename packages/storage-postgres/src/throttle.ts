/** Not one: a transaction that wrongly waits for another one would then always wait in vain. */
const LEAST = 2

/**
 * How many transactions of this program run at a time. PostgreSQL finds collisions by the page, so in a small table
 * transactions collide that have nothing to do with each other, the more the more there are; running fewer of
 * them is then faster. Halved by every collision, raised again by success.
 */
export class Throttle {
  readonly #most: number
  readonly #patience: number
  readonly #waiting: (() => void)[] = []
  #limit: number
  #running = 0

  /** `most` at a time; `patience`: milliseconds to wait for a turn, 0 for ever. */
  constructor(most: number, patience: number) {
    this.#most = most
    this.#patience = patience
    this.#limit = most
  }

  /** Waits for its turn, first come first served; false when it took too long. */
  async enter(): Promise<boolean> {
    if (this.#running < this.#limit) {
      this.#running += 1
      return true
    }
    return new Promise<boolean>((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const begin = () => {
        clearTimeout(timer)
        resolve(true)
      }
      this.#waiting.push(begin)
      if (this.#patience === 0) return
      timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        resolve(false)
      }, this.#patience)
    })
  }

  leave(collided: boolean): void {
    this.#limit = collided
      ? Math.max(this.#limit / 2, Math.min(LEAST, this.#most))
      : Math.min(this.#limit + 1 / this.#limit, this.#most)
    this.#running -= 1
    while (this.#waiting.length > 0 && this.#running < this.#limit) {
      this.#running += 1
      this.#waiting.shift()?.()
    }
  }
}
