/** A first-in-first-out queue that takes and gives in constant time. */
export class Fifo<T> {
  #items: (T | undefined)[] = []
  #first = 0

  get length(): number {
    return this.#items.length - this.#first
  }

  push(item: T): void {
    this.#items.push(item)
  }

  peek(): T | undefined {
    return this.#items[this.#first]
  }

  shift(): T | undefined {
    const item = this.#items[this.#first]
    if (this.#first >= this.#items.length) return undefined
    this.#items[this.#first++] = undefined
    if (this.#first > 1024 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first)
      this.#first = 0
    }
    return item
  }
}
