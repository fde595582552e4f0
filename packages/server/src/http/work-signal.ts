/** Aborts the work for a request when its caller disconnects or it takes too long; created on first use. */
export class WorkSignal {
  readonly #request: Request
  #controller: AbortController | undefined
  #isTooLate = false

  constructor(request: Request) {
    this.#request = request
  }

  get value(): AbortSignal {
    this.#controller ??= this.#create()
    return this.#controller.signal
  }

  /** Reports that the work takes too long. */
  abort(): void {
    this.#isTooLate = true
    this.#controller?.abort()
  }

  #create(): AbortController {
    const controller = new AbortController()
    const { signal } = this.#request
    if (this.#isTooLate) controller.abort()
    else if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
    return controller
  }
}
