/** Runs asynchronous work one piece at a time, in the order it came. */
export class Queue {
  readonly #waiting: (() => void)[] = []
  #busy = false

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy = true
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Whoever is next runs later; until then nobody else may slip in.
      if (next) next()
      else this.#busy = false
    }
  }
}
