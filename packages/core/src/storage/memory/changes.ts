import { coreError } from '../../errors/codes.js'
import type { RecordDelete, RecordWrite } from '../backend.js'
import { writeConflict } from '../write-conflict.js'
import type { Row } from './row.js'
import type { Table } from './table.js'

const NONE: readonly Map<string, string>[] = []

/** Writes of one transaction to one table, invisible to everyone else. */
export class Changes {
  readonly table: Table
  /** The uncommitted writes of earlier transactions. */
  readonly base: Changes | undefined
  /** The new row of each key; null when it is removed. */
  readonly rows = new Map<string, Row | null>()
  /** For each unique constraint: which key has taken which values. */
  readonly #taken: readonly Map<string, string>[]

  constructor(table: Table, base?: Changes) {
    this.table = table
    this.base = base
    const { unique } = table.declaration
    this.#taken = unique.length === 0 ? NONE : unique.map(() => new Map())
  }

  /** All uncommitted writes: those made here, over those they are based on. */
  get uncommitted(): ReadonlyMap<string, Row | null> {
    if (this.base === undefined || this.base.rows.size === 0) return this.rows
    return this.rows.size === 0 ? this.base.rows : new Map([...this.base.rows, ...this.rows])
  }

  get(key: string): Row | undefined {
    const changed = this.rows.get(key)
    if (changed !== undefined) return changed ?? undefined
    return this.base ? this.base.get(key) : this.table.rows.get(key)
  }

  /** Merges writes made on top of these. */
  absorb({ rows }: Changes): void {
    // All values are released before any is taken: one record may have taken what another gave up.
    for (const key of rows.keys()) this.#release(key)
    for (const [key, row] of rows) {
      this.rows.set(key, row)
      if (row) this.#take(row)
    }
  }

  put(row: RecordWrite): void {
    this.check(row)
    this.#release(row.key)
    for (const [rule, values] of this.table.uniqueValues(row).entries()) {
      if (values === undefined) continue
      const holder = this.#holder(rule, values)
      if (holder !== undefined && holder !== row.key) throw this.#duplicate(row.key, rule)
      this.#taken[rule]?.set(values, row.key)
    }
    this.rows.set(row.key, row)
  }

  delete(removal: RecordDelete): boolean {
    this.check(removal)
    const { key } = removal
    const existed = this.get(key) !== undefined
    this.#release(key)
    this.rows.set(key, null)
    return existed
  }

  check({ key, expect }: Pick<RecordWrite, 'key' | 'expect'>): void {
    const current = this.get(key)?.revision ?? null
    if (expect === undefined || expect === current) return
    throw writeConflict(this.table.declaration.name, key, expect, current)
  }

  /** Key of the record that has the values of a unique constraint. */
  #holder(rule: number, values: string): string | undefined {
    const taker = this.#taken[rule]?.get(values)
    if (taker !== undefined) return taker
    const holder = this.base ? this.base.#holder(rule, values) : this.table.holder(rule, values)
    return holder !== undefined && this.rows.has(holder) ? undefined : holder
  }

  #take(row: Row): void {
    for (const [rule, values] of this.table.uniqueValues(row).entries()) {
      if (values !== undefined) this.#taken[rule]?.set(values, row.key)
    }
  }

  #release(key: string): void {
    const old = this.rows.get(key)
    if (!old) return
    for (const [rule, values] of this.table.uniqueValues(old).entries()) {
      if (values !== undefined) this.#taken[rule]?.delete(values)
    }
  }

  #duplicate(key: string, rule: number): Error {
    const { name, unique } = this.table.declaration
    const columns = unique[rule] ?? []
    const message = `Another record of "${name}" has the same ${columns.join(', ')} as "${key}".`
    return coreError('UNIQUE_VIOLATION', message, { details: { collection: name, key, columns } })
  }
}
