import { MESSAGE_LIMITS } from '../message/message-schema.js'

/** First in, first out. Taking from the front costs the same however long the line is. */
class Line<T> {
  #items: T[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head++] = undefined as T
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  remove(unwanted: (item: T) => boolean): T[] {
    const removed: T[] = []
    const kept: T[] = []
    for (let index = this.#head; index < this.#items.length; index++) {
      const item = this.#items[index] as T
      ;(unwanted(item) ? removed : kept).push(item)
    }
    this.#items = kept
    this.#head = 0
    return removed
  }
}

/** A queue that gives priority 1 first and, within one priority, what came first. */
export class PriorityQueue<T> {
  readonly #lines: (Line<T> | undefined)[] = new Array(MESSAGE_LIMITS.priority.max + 1)
  #size = 0

  get size(): number {
    return this.#size
  }

  push(item: T, priority: number): void {
    const line = this.#lines[priority] ?? new Line<T>()
    this.#lines[priority] = line
    line.push(item)
    this.#size++
  }

  shift(): T | undefined {
    if (this.#size === 0) return undefined
    const line = this.#lines.find((candidate) => candidate !== undefined && candidate.size > 0)
    this.#size--
    return line?.shift()
  }

  /** Takes out everything that is unwanted, most urgent first. */
  remove(unwanted: (item: T) => boolean): T[] {
    const removed = this.#lines.flatMap((line) => line?.remove(unwanted) ?? [])
    this.#size -= removed.length
    return removed
  }
}
