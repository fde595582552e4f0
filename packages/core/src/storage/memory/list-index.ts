import type { Row } from './row.js'

/** Rows by the elements of a list column. */
export class ListIndex {
  readonly #column: number
  readonly #rows = new Map<string, Set<Row>>()

  constructor(column: number, rows: Iterable<Row>) {
    this.#column = column
    for (const row of rows) this.add(row)
  }

  add(row: Row): void {
    for (const element of this.#elements(row)) {
      const rows = this.#rows.get(element)
      if (rows) rows.add(row)
      else this.#rows.set(element, new Set([row]))
    }
  }

  remove(row: Row): void {
    for (const element of this.#elements(row)) {
      const rows = this.#rows.get(element)
      rows?.delete(row)
      if (rows?.size === 0) this.#rows.delete(element)
    }
  }

  find(element: string): ReadonlySet<Row> {
    return this.#rows.get(element) ?? new Set()
  }

  #elements(row: Row): readonly string[] {
    return (row.columns[this.#column] as readonly string[] | null) ?? []
  }
}
