const CHUNK = 512

/** Position of an item relative to a target: negative before, 0 at, positive after it; ascending over a list. */
type Position<T> = (item: T) => number

/** A sorted list in chunks: adding and removing shift within one. The comparison must tell all items apart. */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number
  #chunks: T[][] = []

  constructor(compare: (a: T, b: T) => number, items: Iterable<T> = []) {
    this.#compare = compare
    const sorted = [...items].sort(compare)
    for (let start = 0; start < sorted.length; start += CHUNK) this.#chunks.push(sorted.slice(start, start + CHUNK))
  }

  add(item: T): void {
    const chunkIndex = Math.min(this.#chunkOf(item), this.#chunks.length - 1)
    const chunk = this.#chunks[chunkIndex]
    if (chunk === undefined) {
      this.#chunks.push([item])
      return
    }
    chunk.splice(
      lowerBound(chunk, (other) => this.#compare(other, item)),
      0,
      item,
    )
    if (chunk.length > 2 * CHUNK) this.#chunks.splice(chunkIndex + 1, 0, chunk.splice(CHUNK))
  }

  remove(item: T): void {
    const chunkIndex = this.#chunkOf(item)
    const chunk = this.#chunks[chunkIndex]
    if (chunk === undefined) return
    const index = lowerBound(chunk, (other) => this.#compare(other, item))
    if (index >= chunk.length || this.#compare(chunk[index] as T, item) !== 0) return
    chunk.splice(index, 1)
    if (chunk.length === 0) this.#chunks.splice(chunkIndex, 1)
  }

  /** Items from the first for which `start` is not negative to the last for which `end` is not positive. */
  *between(start: Position<T>, end: Position<T>): Generator<T> {
    const from = this.#locate(start)
    const to = this.#locate(past(end))
    for (let chunkIndex = from.chunk; chunkIndex <= to.chunk; chunkIndex++) {
      const chunk = this.#chunks[chunkIndex] ?? []
      const beyond = chunkIndex === to.chunk ? to.index : chunk.length
      for (let index = chunkIndex === from.chunk ? from.index : 0; index < beyond; index++) yield chunk[index] as T
    }
  }

  /** The same in reverse. */
  *backBetween(start: Position<T>, end: Position<T>): Generator<T> {
    const from = this.#locate(start)
    const to = this.#locate(past(end))
    for (let chunkIndex = to.chunk; chunkIndex >= from.chunk; chunkIndex--) {
      const chunk = this.#chunks[chunkIndex] ?? []
      const first = chunkIndex === from.chunk ? from.index : 0
      for (let index = (chunkIndex === to.chunk ? to.index : chunk.length) - 1; index >= first; index--) {
        yield chunk[index] as T
      }
    }
  }

  /** Number of items with position 0. */
  count(position: Position<T>): number {
    const from = this.#locate(position)
    const to = this.#locate(past(position))
    let count = to.index - from.index
    for (let index = from.chunk; index < to.chunk; index++) count += (this.#chunks[index] as T[]).length
    return count
  }

  /** Where the first item with a non-negative `position` is, or would be. */
  #locate(position: Position<T>): { readonly chunk: number; readonly index: number } {
    const chunkIndex = lowerBound(this.#chunks, (chunk) => position(chunk.at(-1) as T))
    const chunk = this.#chunks[chunkIndex]
    return { chunk: chunkIndex, index: chunk ? lowerBound(chunk, position) : 0 }
  }

  #chunkOf(item: T): number {
    return lowerBound(this.#chunks, (chunk) => this.#compare(chunk.at(-1) as T, item))
  }
}

/** The position after all items with position 0. */
function past<T>(position: Position<T>): Position<T> {
  return (item) => (position(item) > 0 ? 0 : -1)
}

/** Index of the first item with a non-negative `position`. */
function lowerBound<T>(items: readonly T[], position: Position<T>): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (position(items[middle] as T) < 0) low = middle + 1
    else high = middle
  }
  return low
}
