import { coreError } from '../../errors/codes.js'
import type { RecordDelete, RecordWrite } from '../backend.js'
import { writeConflict } from '../write-conflict.js'
import type { Row } from './row.js'
import type { Table } from './table.js'

const NONE: readonly Map<string, string>[] = []

/** What one transaction has written to one table, invisible to everybody else. */
export class Changes {
  readonly table: Table
  /** The row each key becomes; null when it goes. */
  readonly rows = new Map<string, Row | null>()
  /** For each unique rule: which key has taken which values. */
  readonly #taken: readonly Map<string, string>[]

  constructor(table: Table) {
    this.table = table
    const { unique } = table.declaration
    this.#taken = unique.length === 0 ? NONE : unique.map(() => new Map())
  }

  get(key: string): Row | undefined {
    const changed = this.rows.get(key)
    return changed === undefined ? this.table.rows.get(key) : (changed ?? undefined)
  }

  put(row: RecordWrite): void {
    this.#require(row.key, row.expect)
    this.#release(row.key)
    for (const [rule, values] of this.table.uniqueValues(row).entries()) {
      if (values === undefined) continue
      const taker = this.#taken[rule]?.get(values)
      const holder = this.table.holder(rule, values)
      if (taker !== undefined || (holder !== undefined && holder !== row.key && !this.rows.has(holder))) {
        throw this.#duplicate(row.key, rule)
      }
      this.#taken[rule]?.set(values, row.key)
    }
    this.rows.set(row.key, row)
  }

  delete({ key, expect }: RecordDelete): boolean {
    this.#require(key, expect)
    const existed = this.get(key) !== undefined
    this.#release(key)
    this.rows.set(key, null)
    return existed
  }

  #require(key: string, expect: string | null | undefined): void {
    const current = this.get(key)?.revision ?? null
    if (expect === undefined || expect === current) return
    throw writeConflict(this.table.declaration.name, key, expect, current)
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
    return coreError(
      'UNIQUE_VIOLATION',
      `Another record of "${name}" has the same ${columns.join(', ')} as "${key}".`,
      {
        details: { collection: name, key, columns },
      },
    )
  }
}
