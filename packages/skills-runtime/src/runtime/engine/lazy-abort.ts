/** An `AbortController` whose signal is created on first use: most runs never read it. */
export class LazyAbort {
  #controller: AbortController | undefined
  #aborted: { readonly reason: unknown } | undefined

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason)
    }
    return this.#controller.signal
  }

  /** The first reason wins. */
  abort(reason: unknown): void {
    this.#aborted ??= { reason }
    this.#controller?.abort(reason)
  }

  throwIfAborted(): void {
    if (this.#aborted !== undefined) throw this.#aborted.reason
  }
}
