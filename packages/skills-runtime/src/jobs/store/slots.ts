/** The slots of a worker; each concurrent job takes one. */
export class Slots {
  readonly #total: number
  readonly #returning: (() => void)[] = []
  #taken = 0
  #asked = 0

  constructor(total: number) {
    this.#total = total
  }

  get free(): number {
    return Math.max(0, this.#total - this.#taken - this.#returning.length)
  }

  /** Reserves free slots for jobs that are being claimed. */
  async claim<T>(claim: (slots: number) => Promise<T>, begin: (claimed: T) => void): Promise<T> {
    this.#asked = this.free
    try {
      const claimed = await claim(this.#asked)
      this.#asked = 0
      begin(claimed)
      return claimed
    } finally {
      this.#asked = 0
      this.#grant()
    }
  }

  take(): Slot {
    this.#taken++
    return new Slot(this)
  }

  giveBack(): void {
    this.#taken--
    this.#grant()
  }

  /** Resolves when a slot was taken, with precedence over jobs that are being claimed. */
  takeAgain(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const grant = () => {
        signal.removeEventListener('abort', abort)
        this.#taken++
        resolve()
      }
      // An interrupted job does not wait; it ends at once.
      const abort = () => {
        this.#returning.splice(this.#returning.indexOf(grant), 1)
        grant()
      }
      this.#returning.push(grant)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
      this.#grant()
    })
  }

  #grant(): void {
    while (this.#returning.length > 0 && this.#taken + this.#asked < this.#total) this.#returning.shift()?.()
  }
}

export class Slot {
  readonly #slots: Slots
  #isTaken = true
  #isOver = false

  constructor(slots: Slots) {
    this.#slots = slots
  }

  /** Frees it temporarily. True if it was taken. */
  giveBack(): boolean {
    if (!this.#isTaken) return false
    this.#isTaken = false
    this.#slots.giveBack()
    return true
  }

  /** Resolves when it is taken again, or at once if the signal is aborted. */
  async takeAgain(signal: AbortSignal): Promise<void> {
    if (this.#isTaken) return
    await this.#slots.takeAgain(signal)
    if (this.#isOver) this.#slots.giveBack()
    else this.#isTaken = true
  }

  /** Frees it permanently. True if it was taken. */
  end(): boolean {
    this.#isOver = true
    return this.giveBack()
  }
}
