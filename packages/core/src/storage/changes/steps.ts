import { Mutex } from '../../coordination/mutex.js'

const DONE = { done: true, value: undefined } as const

/** An async iterator that serialises its calls; `return` ends it immediately, even while a call is waiting. */
export abstract class Steps<T> implements AsyncIterableIterator<T, undefined> {
  readonly #mutex = new Mutex()

  /** The next value; undefined at the end, and after `end`. */
  protected abstract step(): Promise<T | undefined>

  /** Ends the iteration: the current step and all later ones return undefined. */
  abstract end(): void

  next(): Promise<IteratorResult<T, undefined>> {
    return this.#mutex.run(() => this.step()).then(toResult<T>)
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.end()
    return DONE
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

function toResult<T>(value: T | undefined): IteratorResult<T, undefined> {
  return value === undefined ? DONE : { done: false, value }
}

export class EachItem<T extends object> extends Steps<T> {
  readonly #pages: AsyncIterableIterator<{ readonly items: readonly T[] }, undefined>
  #items: readonly T[] = []
  #index = 0

  constructor(pages: AsyncIterableIterator<{ readonly items: readonly T[] }, undefined>) {
    super()
    this.#pages = pages
  }

  end(): void {
    this.#items = []
    void this.#pages.return?.()
  }

  protected async step(): Promise<T | undefined> {
    while (this.#index >= this.#items.length) {
      const { value: page } = await this.#pages.next()
      if (page === undefined) return undefined
      this.#items = page.items
      this.#index = 0
    }
    this.#index += 1
    return this.#items[this.#index - 1]
  }
}
