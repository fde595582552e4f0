const CHUNK = 512

/**
 * A sorted list in chunks, for indexes: adding and removing cost a binary search and a shift within one chunk. The
 * comparison must tell any two different items apart.
 */
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

  /** Items from the first for which `position` is not negative; `position` must be ascending over the list. */
  *from(position: (item: T) => number): Generator<T> {
    const first = lowerBound(this.#chunks, (chunk) => position(chunk.at(-1) as T))
    for (let chunkIndex = first; chunkIndex < this.#chunks.length; chunkIndex++) {
      const chunk = this.#chunks[chunkIndex] as T[]
      const start = chunkIndex === first ? lowerBound(chunk, position) : 0
      for (let index = start; index < chunk.length; index++) yield chunk[index] as T
    }
  }

  /** Items from the last for which `position` is not positive, backwards. */
  *backFrom(position: (item: T) => number): Generator<T> {
    const beyond = (item: T) => (position(item) > 0 ? 0 : -1)
    const last = Math.min(
      lowerBound(this.#chunks, (chunk) => beyond(chunk.at(-1) as T)),
      this.#chunks.length - 1,
    )
    for (let chunkIndex = last; chunkIndex >= 0; chunkIndex--) {
      const chunk = this.#chunks[chunkIndex] as T[]
      const end = chunkIndex === last ? lowerBound(chunk, beyond) : chunk.length
      for (let index = end - 1; index >= 0; index--) yield chunk[index] as T
    }
  }

  /** How many items have position 0. */
  count(position: (item: T) => number): number {
    return this.#rank((item) => (position(item) > 0 ? 0 : -1)) - this.#rank(position)
  }

  /** How many items come before the first for which `position` is not negative. */
  #rank(position: (item: T) => number): number {
    const chunkIndex = lowerBound(this.#chunks, (chunk) => position(chunk.at(-1) as T))
    let rank = 0
    for (let index = 0; index < chunkIndex; index++) rank += (this.#chunks[index] as T[]).length
    const chunk = this.#chunks[chunkIndex]
    return chunk ? rank + lowerBound(chunk, position) : rank
  }

  #chunkOf(item: T): number {
    return lowerBound(this.#chunks, (chunk) => this.#compare(chunk.at(-1) as T, item))
  }
}

/** Index of the first item for which `position` is not negative. */
function lowerBound<T>(items: readonly T[], position: (item: T) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (position(items[middle] as T) < 0) low = middle + 1
    else high = middle
  }
  return low
}
