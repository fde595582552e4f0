import { guardMethods } from '../errors/guard.js'
/** An item's position in a queue, with which it can be removed early. */
export class FifoEntry<T> {
  readonly item: T
  next: FifoEntry<T> | undefined
  previous: FifoEntry<T> | undefined
  isQueued = true

  constructor(item: T, previous: FifoEntry<T> | undefined) {
    this.item = item
    this.previous = previous
  }
}

/** A first-in-first-out queue. Adding, taking and removing from the middle take constant time. */
export class Fifo<T> {
  #first: FifoEntry<T> | undefined
  #last: FifoEntry<T> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The next item; it stays in the queue. */
  get first(): T | undefined {
    return this.#first?.item
  }

  push(item: T): FifoEntry<T> {
    const entry = new FifoEntry(item, this.#last)
    if (this.#last === undefined) this.#first = entry
    else this.#last.next = entry
    this.#last = entry
    this.#size++
    return entry
  }

  shift(): T | undefined {
    const entry = this.#first
    if (entry !== undefined) this.#unlink(entry)
    return entry?.item
  }

  /** Removes an entry at any position; false when it is no longer in the queue. */
  delete(entry: FifoEntry<T>): boolean {
    if (!entry.isQueued) return false
    this.#unlink(entry)
    return true
  }

  /** Removes every item that matches, in order. */
  remove(matches: (item: T) => boolean): T[] {
    const removed: T[] = []
    for (let entry = this.#first; entry !== undefined; entry = entry.next) {
      if (matches(entry.item) && this.delete(entry)) removed.push(entry.item)
    }
    return removed
  }

  #unlink(entry: FifoEntry<T>): void {
    entry.isQueued = false
    if (entry.previous === undefined) this.#first = entry.next
    else entry.previous.next = entry.next
    if (entry.next === undefined) this.#last = entry.previous
    else entry.next.previous = entry.previous
    this.#size--
  }
}

guardMethods(Fifo, { callsBack: ['remove'], except: ['push', 'shift'] })
