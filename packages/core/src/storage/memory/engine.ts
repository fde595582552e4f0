import { coreError } from '../../errors/codes.js'
import { guardMethods } from '../../errors/guard.js'
import type {
  CollectionWrites,
  QueryPlan,
  RecordDelete,
  RecordWrite,
  Selection,
  StorageReader,
  StorageTransaction,
  StoredRecord,
} from '../backend.js'
import type { Collection } from '../collection.js'
import type { CollectionDeclaration } from '../declaration.js'
import { planUpgrade } from '../upgrade.js'
import { Changes } from './changes.js'
import { matcher } from './match.js'
import { isBehind, type Row, rowOrder, toStored } from './row.js'
import { countRows, selectRows } from './select.js'
import { Table } from './table.js'

const NOTHING_HIDDEN: ReadonlyMap<string, unknown> = new Map()

/** Writes a transaction is about to commit: the new row of each key by collection, null when it is removed. */
export type Commit = ReadonlyMap<string, ReadonlyMap<string, Row | null>>

export interface UpgradedTable {
  readonly before: Table
  readonly after: Table
}

/**
 * The storage rules in memory: rows, indexes, uniqueness, references and transactions. The memory backend consists of
 * this alone; a backend that loads everything when opened can be built on it.
 */
export class MemoryEngine implements StorageReader {
  readonly #tables = new Map<string, Table>()
  readonly #lookup = (name: string) => this.#table(name)

  /** Declarations of all collections, by name. */
  catalogue(): CollectionDeclaration[] {
    const names = [...this.#tables.keys()].sort()
    return names.map((name) => structuredClone(this.#table(name).declaration))
  }

  /** Ensures that collections exist in their current version, all or none; returns the upgraded tables. */
  declare(collections: readonly Collection[]): UpgradedTable[] {
    const tables = collections.flatMap((collection) => {
      const existing = this.#tables.get(collection.name)
      return planUpgrade(collection, existing?.declaration) === 'none' ? [] : [upgraded(collection, existing)]
    })
    const fresh = new Map(tables.map((table) => [table.declaration.name, table]))
    const all = new Map([...this.#tables, ...fresh])
    for (const table of all.values()) verifyTable(table, all, fresh)
    const replaced: UpgradedTable[] = []
    for (const [name, after] of fresh) {
      const before = this.#tables.get(name)
      if (before) replaced.push({ before, after })
      this.#tables.set(name, after)
    }
    return replaced
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return keys.map((key) => this.getNow(collection, key) ?? undefined)
  }

  /** A record, at once; null if there is none. */
  getNow(collection: string, key: string): StoredRecord | null {
    const row = this.#table(collection).rows.get(key)
    return row ? toStored(row) : null
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return selectRows(this.#table(collection), plan, NOTHING_HIDDEN).map(toStored)
  }

  async count(collection: string, selection: Selection): Promise<number> {
    return countRows(this.#table(collection), selection, NOTHING_HIDDEN)
  }

  /** Begins a transaction, on top of an uncommitted one if given. The caller ensures that only one runs at a time. */
  begin(base?: MemoryTransaction): MemoryTransaction {
    return new MemoryTransaction(this.#lookup, base)
  }

  /** Checks references over the whole store in its new state. */
  verify(transaction: MemoryTransaction): void {
    for (const { table, rows } of transaction.changes) {
      for (const [key, row] of rows) {
        if (row) this.#verifyReferences(transaction, table, row)
        else this.#verifyUnreferenced(transaction, table.declaration.name, key)
      }
    }
    if (transaction.base) this.#verifyBase(transaction, transaction.base)
  }

  /** Verifies a transaction and makes its writes visible. */
  commit(transaction: MemoryTransaction): void {
    this.verify(transaction)
    for (const { table, rows } of transaction.changes) table.apply(rows)
  }

  /** Makes the writes of a transaction visible, all at once. */
  apply(commit: Commit): void {
    for (const [name, rows] of commit) this.#table(name).apply(rows)
  }

  /** A committed row, not copied. */
  row(collection: string, key: string): Row | undefined {
    return this.#tables.get(collection)?.rows.get(key)
  }

  /** The committed rows of a collection, not copied. */
  rows(collection: string): Iterable<Row> {
    return this.#table(collection).rows.values()
  }

  /**
   * Adds one row that was not written through a transaction, such as a file edited by hand. Throws `UNIQUE_VIOLATION`
   * and adds nothing if it collides; with `dryRun` it only checks. References are not checked.
   */
  insert(collection: string, row: Row, { dryRun = false }: { dryRun?: boolean } = {}): void {
    const changes = new Changes(this.#table(collection))
    changes.put(row)
    if (!dryRun) changes.table.apply(changes.rows)
  }

  /** Removes one row, whatever refers to it. */
  remove(collection: string, key: string): void {
    this.#table(collection).apply(new Map([[key, null]]))
  }

  /** Committed rows that refer to a record, which need not exist. */
  *referrers(collection: string, key: string): Generator<{ readonly collection: string; readonly row: Row }> {
    for (const table of this.#tables.values()) {
      for (const [index, reference] of table.declaration.references.entries()) {
        if (reference.collection !== collection) continue
        for (const referrer of [...table.referrers(index, key)]) {
          const row = table.rows.get(referrer)
          if (row) yield { collection: table.declaration.name, row }
        }
      }
    }
  }

  #verifyReferences(transaction: MemoryTransaction, table: Table, row: Row): void {
    if (row.references.length === 0) return
    for (const [index, target] of row.references.entries()) {
      const reference = table.declaration.references[index]
      if (typeof target !== 'string' || !reference) continue
      if (!transaction.changesOf(reference.collection).get(target)) {
        throw broken(table.declaration.name, row.key, reference.collection, target)
      }
    }
  }

  #verifyUnreferenced(transaction: MemoryTransaction, collection: string, key: string): void {
    for (const table of this.#tables.values()) {
      for (const [index, reference] of table.declaration.references.entries()) {
        if (reference.collection !== collection) continue
        const { rows, base } = transaction.changesOf(table.declaration.name)
        for (const referrer of table.referrers(index, key)) {
          // A changed row is verified by itself, or with the base.
          if (rows.has(referrer) || base?.rows.has(referrer)) continue
          throw broken(table.declaration.name, referrer, collection, key)
        }
      }
    }
  }

  /** Checks that no uncommitted row refers to one that a transaction on top of it removes. */
  #verifyBase(transaction: MemoryTransaction, base: MemoryTransaction): void {
    const removed = new Map(transaction.changes.map(({ table, rows }) => [table.declaration.name, removedKeys(rows)]))
    if ([...removed.values()].every(({ size }) => size === 0)) return
    for (const { table, rows } of base.changes) {
      const { name, references } = table.declaration
      const changed = transaction.changesOf(name).rows
      for (const [index, { collection }] of references.entries()) {
        const keys = removed.get(collection)
        if (!keys || keys.size === 0) continue
        for (const [key, row] of rows) {
          const target = row?.references[index]
          if (typeof target === 'string' && keys.has(target) && !changed.has(key)) {
            throw broken(name, key, collection, target)
          }
        }
      }
    }
  }

  #table(name: string): Table {
    const table = this.#tables.get(name)
    if (!table)
      throw coreError('NOT_FOUND', `The store has no collection "${name}".`, { details: { collection: name } })
    return table
  }
}

guardMethods(MemoryEngine)

/** A transaction of the engine: reads see its own changes over the committed rows. */
export class MemoryTransaction implements StorageTransaction {
  /** One entry for each collection touched; there are few, so a linear search is fast. */
  readonly changes: Changes[] = []
  /** The uncommitted transaction it is based on, if any. */
  readonly base: MemoryTransaction | undefined
  readonly #table: (name: string) => Table

  constructor(table: (name: string) => Table, base?: MemoryTransaction) {
    this.#table = table
    this.base = base
  }

  /** The writes to commit. */
  get commit(): Commit {
    return new Map(this.changes.map(({ table, rows }) => [table.declaration.name, rows]))
  }

  changesOf(collection: string): Changes {
    for (const changes of this.changes) if (changes.table.declaration.name === collection) return changes
    const changes = new Changes(this.#table(collection), this.base?.changesOf(collection))
    this.changes.push(changes)
    return changes
  }

  /** Merges the writes of a verified transaction on top of this one. */
  absorb(transaction: MemoryTransaction): void {
    for (const changes of transaction.changes) this.changesOf(changes.table.declaration.name).absorb(changes)
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    const changes = this.changesOf(collection)
    return keys.map((key) => {
      const row = changes.get(key)
      return row && toStored(row)
    })
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    const { table, uncommitted } = this.changesOf(collection)
    const matches = matcher(plan)
    const behind = isBehind(plan)
    const committed = selectRows(table, plan, uncommitted)
    const own = [...uncommitted.values()].filter((row): row is Row => row !== null && matches(row) && behind(row))
    const found = own.length === 0 ? committed : [...committed, ...own].sort(rowOrder(plan))
    return found.slice(0, plan.limit).map(toStored)
  }

  async count(collection: string, selection: Selection): Promise<number> {
    const { table, uncommitted } = this.changesOf(collection)
    const matches = matcher(selection)
    const own = [...uncommitted.values()].filter((row) => row !== null && matches(row))
    return countRows(table, selection, uncommitted) + own.length
  }

  /** Applies the part of a batch for one collection. */
  write({ collection, puts, deletes, checks }: CollectionWrites): void {
    const changes = this.changesOf(collection)
    for (const check of checks) changes.check(check)
    for (const write of puts) changes.put(write)
    for (const removal of deletes) changes.delete(removal)
  }

  async put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    const changes = this.changesOf(collection)
    for (const write of writes) changes.put(write)
  }

  async delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    const changes = this.changesOf(collection)
    return deletes.map((removal) => changes.delete(removal))
  }
}

function removedKeys(rows: ReadonlyMap<string, Row | null>): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const [key, row] of rows) if (row === null) keys.add(key)
  return keys
}

/** A table in the version of the declaration, with the rows of the table it replaces. */
function upgraded(collection: Collection, existing: Table | undefined): Table {
  const changes = new Changes(new Table(collection.declaration))
  for (const { record } of existing?.rows.values() ?? []) {
    changes.put(collection.upgrade(record, (existing as Table).declaration.version))
  }
  changes.table.apply(changes.rows)
  return changes.table
}

/** Checks the references from and to a recreated table. */
function verifyTable(table: Table, all: ReadonlyMap<string, Table>, fresh: ReadonlyMap<string, Table>): void {
  const { name, references } = table.declaration
  for (const [index, { collection }] of references.entries()) {
    if (!fresh.has(name) && !fresh.has(collection)) continue
    for (const { key, references: targets } of table.rows.values()) {
      const target = targets[index]
      if (typeof target === 'string' && !all.get(collection)?.rows.has(target)) {
        throw broken(name, key, collection, target)
      }
    }
  }
}

function broken(collection: string, key: string, reference: string, target: string): Error {
  return coreError(
    'REFERENCE_VIOLATION',
    `"${key}" of "${collection}" refers to "${target}" of "${reference}", which does not exist or is being removed.`,
    { details: { collection, key, reference, target } },
  )
}
