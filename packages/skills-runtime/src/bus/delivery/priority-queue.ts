import { Fifo } from '@minions/core/coordination'
import { MESSAGE_LIMITS } from '../message/message-schema.js'

/** A queue that gives priority 1 first and, within one priority, what came first. */
export class PriorityQueue<T> {
  readonly #lines: (Fifo<T> | undefined)[] = new Array(MESSAGE_LIMITS.priority.max + 1)
  #size = 0

  get size(): number {
    return this.#size
  }

  push(item: T, priority: number): void {
    const line = this.#lines[priority] ?? new Fifo<T>()
    this.#lines[priority] = line
    line.push(item)
    this.#size++
  }

  shift(): T | undefined {
    if (this.#size === 0) return undefined
    const line = this.#lines.find((line) => line !== undefined && line.size > 0)
    this.#size--
    return line?.shift()
  }

  /** Takes out every item that matches, most urgent first. */
  remove(matches: (item: T) => boolean): T[] {
    const removed = this.#lines.flatMap((line) => line?.remove(matches) ?? [])
    this.#size -= removed.length
    return removed
  }
}
