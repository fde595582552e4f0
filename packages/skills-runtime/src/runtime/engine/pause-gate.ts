/** Where executions wait while their subagent is paused. */
export class PauseGate {
  #waiting: Promise<void> | undefined
  #open: (() => void) | undefined
  #fail: ((error: Error) => void) | undefined

  get closed(): boolean {
    return this.#waiting !== undefined
  }

  close(): void {
    if (this.#waiting !== undefined) return
    this.#waiting = new Promise((resolve, reject) => {
      this.#open = resolve
      this.#fail = reject
    })
    // It may fail before anything waits for it, which must not be an unhandled rejection.
    this.#waiting.catch(() => undefined)
  }

  open(): void {
    this.#waiting = undefined
    this.#open?.()
  }

  fail(error: Error): void {
    this.#waiting = undefined
    this.#fail?.(error)
  }

  async pass(): Promise<void> {
    while (this.#waiting !== undefined) await this.#waiting
  }
}
