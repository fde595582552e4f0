import { Fifo } from '@minions/core/coordination'
import { MESSAGE_LIMITS } from '../message/message-schema.js'

/** A queue that returns priority 1 first and, within a priority, first in, first out. */
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

  /** Removes every matching item, most urgent first. */
  remove(matches: (item: T) => boolean): T[] {
    const removed = this.#lines.flatMap((line) => line?.remove(matches) ?? [])
    this.#size -= removed.length
    return removed
  }
}
