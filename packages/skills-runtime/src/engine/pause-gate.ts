/** Where executions wait while their subagent is paused. */
export class PauseGate {
  #waiting: Promise<void> | undefined
  #open: () => void = () => {}
  #fail: (error: Error) => void = () => {}

  get closed(): boolean {
    return this.#waiting !== undefined
  }

  close(): void {
    if (this.#waiting !== undefined) return
    this.#waiting = new Promise((resolve, reject) => {
      this.#open = resolve
      this.#fail = reject
    })
    // Nobody may be waiting yet when it fails, and that is no unhandled rejection.
    this.#waiting.catch(() => undefined)
  }

  open(): void {
    this.#waiting = undefined
    this.#open()
  }

  /** Turns away whoever waits. */
  fail(error: Error): void {
    this.#waiting = undefined
    this.#fail(error)
  }

  async pass(): Promise<void> {
    while (this.#waiting !== undefined) await this.#waiting
  }
}
