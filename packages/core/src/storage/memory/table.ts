import { getOrInsert } from '../../json/get-or-insert.js'
import { columnIndex } from '../collection.js'
import type { CollectionDeclaration } from '../declaration.js'
import { ListIndex } from './list-index.js'
import { OrderedIndex } from './ordered-index.js'
import type { Row } from './row.js'
import { TextIndex } from './text-index.js'

const NONE: readonly undefined[] = []

/** The committed rows of a collection with their indexes. Indexes that only queries need are built on first use. */
export class Table {
  readonly declaration: CollectionDeclaration
  readonly rows = new Map<string, Row>()
  /** The columns of each scalar index that queries may use; the index without columns has the rows by key. */
  readonly indexes: readonly (readonly number[])[]
  readonly #unique: readonly { readonly columns: readonly number[]; readonly keys: Map<string, string> }[]
  readonly #referrers: readonly Map<string, Set<string>>[]
  readonly #ordered = new Map<string, OrderedIndex>()
  readonly #lists = new Map<number, ListIndex>()
  #text: TextIndex | undefined

  constructor(declaration: CollectionDeclaration) {
    this.declaration = declaration
    this.indexes = scalarIndexes(declaration)
    this.#unique = declaration.unique.map((names) => ({
      columns: names.map((name) => columnIndex(declaration, name)),
      keys: new Map(),
    }))
    this.#referrers = declaration.references.map(() => new Map())
  }

  /** Makes changes visible. All constraints have been checked. */
  apply(changes: ReadonlyMap<string, Row | null>): void {
    for (const [key, row] of changes) {
      const old = this.rows.get(key)
      if (old) this.#forget(old)
      if (row) this.rows.set(key, row)
      else this.rows.delete(key)
    }
    for (const row of changes.values()) if (row) this.#learn(row)
  }

  /** The values of each unique constraint as one string; undefined if one is null, which never collides. */
  uniqueValues(row: Row): readonly (string | undefined)[] {
    if (this.#unique.length === 0) return NONE
    return this.#unique.map(({ columns }) => {
      const values = columns.map((column) => row.columns[column])
      return values.includes(null) ? undefined : JSON.stringify(values)
    })
  }

  /** Key of the committed row that has the values of a unique constraint. */
  holder(rule: number, values: string): string | undefined {
    return this.#unique[rule]?.keys.get(values)
  }

  /** Keys of the committed rows whose reference, by its position in the declaration, points to a key. */
  referrers(reference: number, key: string): ReadonlySet<string> {
    return this.#referrers[reference]?.get(key) ?? new Set()
  }

  ordered(columns: readonly number[]): OrderedIndex {
    const name = columns.join()
    return getOrInsert(this.#ordered, name, () => new OrderedIndex(columns, this.rows.values()))
  }

  list(column: number): ListIndex {
    return getOrInsert(this.#lists, column, () => new ListIndex(column, this.rows.values()))
  }

  text(): TextIndex {
    this.#text ??= new TextIndex(this.rows.values())
    return this.#text
  }

  #learn(row: Row): void {
    for (const [rule, values] of this.uniqueValues(row).entries()) {
      if (values !== undefined) this.#unique[rule]?.keys.set(values, row.key)
    }
    for (const [reference, referrers] of this.#referrers.entries()) {
      const target = row.references[reference]
      if (typeof target !== 'string') continue
      const keys = referrers.get(target)
      if (keys) keys.add(row.key)
      else referrers.set(target, new Set([row.key]))
    }
    for (const index of this.#ordered.values()) index.add(row)
    for (const index of this.#lists.values()) index.add(row)
    this.#text?.add(row)
  }

  #forget(row: Row): void {
    for (const [rule, values] of this.uniqueValues(row).entries()) {
      if (values !== undefined) this.#unique[rule]?.keys.delete(values)
    }
    for (const [reference, referrers] of this.#referrers.entries()) {
      const target = row.references[reference]
      if (typeof target !== 'string') continue
      const keys = referrers.get(target)
      keys?.delete(row.key)
      if (keys?.size === 0) referrers.delete(target)
    }
    for (const index of this.#ordered.values()) index.remove(row)
    for (const index of this.#lists.values()) index.remove(row)
    this.#text?.remove(row)
  }
}

/** The declared indexes that are not over lists, the creation time, and the key alone. */
function scalarIndexes(declaration: CollectionDeclaration): number[][] {
  const { createdAt, columns, indexes, unique } = declaration
  const names = [...indexes, ...unique, ...(createdAt === null ? [] : [[createdAt]]), []]
  return names
    .map((list) => list.map((name) => columnIndex(declaration, name)))
    .filter(([first]) => first === undefined || columns[first]?.type !== 'strings')
}
