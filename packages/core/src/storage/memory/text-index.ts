import { compareCodePoints } from '../../json/compare.js'
import type { Row } from './row.js'
import { SortedList } from './sorted-list.js'

/** Rows by word, with the words sorted so that a prefix is a range. */
export class TextIndex {
  readonly #rows = new Map<string, Set<Row>>()
  readonly #vocabulary: SortedList<string>

  constructor(rows: Iterable<Row>) {
    for (const row of rows) for (const word of row.words) this.#add(word, row)
    this.#vocabulary = new SortedList(compareCodePoints, this.#rows.keys())
  }

  add(row: Row): void {
    for (const word of row.words) {
      if (!this.#rows.has(word)) this.#vocabulary.add(word)
      this.#add(word, row)
    }
  }

  remove(row: Row): void {
    for (const word of row.words) {
      const rows = this.#rows.get(word)
      rows?.delete(row)
      if (rows?.size === 0) {
        this.#rows.delete(word)
        this.#vocabulary.remove(word)
      }
    }
  }

  /** Number of rows that have a word with this prefix, counting up to `most`; a row may count twice. */
  estimate(prefix: string, most: number): number {
    let count = 0
    for (const word of this.#wordsWith(prefix)) {
      count += this.#rows.get(word)?.size ?? 0
      if (count >= most) break
    }
    return count
  }

  /** The rows that have a word with this prefix, each once. */
  find(prefix: string): Set<Row> {
    const found = new Set<Row>()
    for (const word of this.#wordsWith(prefix)) for (const row of this.#rows.get(word) ?? []) found.add(row)
    return found
  }

  #wordsWith(prefix: string): Iterable<string> {
    const atPrefix = (word: string) => (word.startsWith(prefix) ? 0 : compareCodePoints(word, prefix))
    return this.#vocabulary.between(atPrefix, atPrefix)
  }

  #add(word: string, row: Row): void {
    const rows = this.#rows.get(word)
    if (rows) rows.add(row)
    else this.#rows.set(word, new Set([row]))
  }
}
