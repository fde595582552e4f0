import { getOrInsert } from '@minions/core/json'
import type { Connection } from './connection.js'

/** The statements that write to one full-text index. */
export interface TextStatements {
  readonly insert: string
  /** Faster than removing and adding, and slower than only adding. */
  readonly replace: string
  readonly remove: string
}

interface PendingText {
  /** False for a row that the index does not have yet. */
  readonly isIndexed: boolean
  /** Undefined for a record that was removed. */
  words: string | undefined
}

/** Characters of words that wait at most; FTS5 itself keeps about as much in memory. */
const MOST_CHARACTERS = 2 ** 20

/**
 * Changes to full-text indexes that wait for the end of their transaction. They are written in the order of the rows:
 * FTS5 writes a segment of its index whenever a row comes before the previous one, which takes longer than all the rest.
 */
export class PendingTexts {
  readonly #connection: Connection
  readonly #indexes = new Map<TextStatements, Map<number, PendingText>>()
  #characters = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Sets the words of a row. `isIndexed`: false for a row that is new. */
  set(index: TextStatements, row: number, words: string | undefined, isIndexed: boolean): void {
    const texts = getOrInsert(this.#indexes, index, () => new Map())
    const pending = texts.get(row)
    if (pending) pending.words = words
    else texts.set(row, { isIndexed, words })
    this.#characters += words?.length ?? 0
    if (this.#characters > MOST_CHARACTERS) this.write()
  }

  /** Writes what is pending: before a commit, before a savepoint, and before a search inside the transaction. */
  write(): void {
    for (const [{ insert, replace, remove }, texts] of this.#indexes) {
      for (const [row, { isIndexed, words }] of [...texts].sort(([a], [b]) => a - b)) {
        if (words !== undefined) this.#connection.run(isIndexed ? replace : insert, row, words)
        else if (isIndexed) this.#connection.run(remove, row)
      }
    }
    this.clear()
  }

  /** Drops what is pending, when the transaction is rolled back. */
  clear(): void {
    this.#indexes.clear()
    this.#characters = 0
  }
}
