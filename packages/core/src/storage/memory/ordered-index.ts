import { compareCodePoints, compareScalars } from '../../json/compare.js'
import type { JsonScalar } from '../../json/json-value.js'
import type { Row } from './row.js'
import { SortedList } from './sorted-list.js'

/** Rows sorted by some columns and then by key. */
export class OrderedIndex {
  readonly columns: readonly number[]
  readonly #rows: SortedList<Row>

  constructor(columns: readonly number[], rows: Iterable<Row>) {
    this.columns = columns
    this.#rows = new SortedList((a, b) => this.#compare(a, b.columns, b.key), rows)
  }

  add(row: Row): void {
    this.#rows.add(row)
  }

  remove(row: Row): void {
    this.#rows.remove(row)
  }

  /** Number of rows with these values in the first columns. */
  count(prefix: readonly JsonScalar[]): number {
    return this.#rows.count((row) => this.#comparePrefix(row, prefix))
  }

  /** Rows with these values in the first columns, in either direction, starting at a position. */
  walk(
    prefix: readonly JsonScalar[],
    direction: 'asc' | 'desc',
    after?: { readonly values: readonly JsonScalar[]; readonly key: string },
  ): Iterable<Row> {
    const inRange = (row: Row) => this.#comparePrefix(row, prefix)
    const behind = (row: Row) => inRange(row) || (after ? this.#compareRest(row, prefix.length, after) : 0)
    return direction === 'asc' ? this.#rows.between(behind, inRange) : this.#rows.backBetween(inRange, behind)
  }

  #comparePrefix(row: Row, prefix: readonly JsonScalar[]): number {
    for (let index = 0; index < prefix.length; index++) {
      const difference = compareScalars(this.#value(row, index), prefix[index])
      if (difference !== 0) return difference
    }
    return 0
  }

  #compareRest(
    row: Row,
    start: number,
    after: { readonly values: readonly JsonScalar[]; readonly key: string },
  ): number {
    for (const [offset, value] of after.values.entries()) {
      const difference = compareScalars(this.#value(row, start + offset), value)
      if (difference !== 0) return difference
    }
    return compareCodePoints(row.key, after.key)
  }

  #compare(row: Row, columns: Row['columns'], key: string): number {
    for (const column of this.columns) {
      const difference = compareScalars(row.columns[column] as JsonScalar, columns[column] as JsonScalar)
      if (difference !== 0) return difference
    }
    return compareCodePoints(row.key, key)
  }

  #value(row: Row, index: number): JsonScalar {
    return row.columns[this.columns[index] as number] as JsonScalar
  }
}
