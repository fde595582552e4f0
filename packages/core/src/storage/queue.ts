/** Lets asynchronous work go on one piece at a time, in the order it came. */
export class Queue {
  readonly #waiting: (() => void)[] = []
  #busy = false

  /** Takes a turn: undefined when it is there at once. Whoever takes one must `leave`. */
  enter(): Promise<void> | undefined {
    if (this.#busy) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#busy = true
    return undefined
  }

  leave(): void {
    const next = this.#waiting.shift()
    // Whoever is next runs later; until then nobody else may slip in.
    if (next) next()
    else this.#busy = false
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }
}
