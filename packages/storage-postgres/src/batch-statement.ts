import { getOrInsert } from '@minions/core/json'
import { ChangeNotes, type CollectionWrites, type RecordDelete, type RecordWrite } from '@minions/core/storage'
import { escapeLiteral } from 'pg'
import { CHANGES, qualified, type Table } from './names.js'
import { type Collections, findCollection, type StoredCollection } from './reader.js'
import type { Rows } from './rows.js'
import type { Statement } from './sql/statement.js'

/**
 * A batch as one statement. It succeeds as a whole: each part counts the rows it found as expected, and if the total is
 * too low, a division by zero makes the whole statement fail.
 */
export class BatchStatements {
  readonly #collections: Collections
  readonly #changes: string
  /** Statements by the kinds of their parts, for one record or several; there are few. */
  readonly #texts = new Map<string, string>()

  constructor(collections: Collections, schema: string) {
    this.#collections = collections
    this.#changes = qualified(schema, CHANGES)
  }

  prepare(batch: readonly CollectionWrites[]): PreparedBatch {
    return new PreparedBatch(
      batch.flatMap((writes) => partsOf(writes, findCollection(this.#collections, writes.collection))),
    )
  }

  statement({ parts }: PreparedBatch): Statement {
    const shape = parts.map((part) => `${part.records.length > 1} ${shapeOf(part)}`).join()
    const text = getOrInsert(this.#texts, shape, () => textOf(parts, this.#changes))
    const counted = parts.reduce((sum, { kind, records }) => (kind === 'forget' ? sum : sum + records.length), 0)
    return { text, values: [counted, notesOf(parts), ...parts.flatMap(valuesOf)], prepared: true }
  }
}

/** A batch in the form in which it is sent. */
export class PreparedBatch {
  readonly parts: readonly Part[]
  /** The same for batches that differ only in their records. */
  readonly shape: string

  constructor(parts: readonly Part[]) {
    this.parts = parts
    this.shape = parts.map(shapeOf).join()
  }

  /** The records that it writes, with their collections: what no two batches in a statement can have in common. */
  get written(): string[] {
    return this.parts.flatMap(({ kind, collection, records }) =>
      kind === 'check' ? [] : records.map(({ key }) => `${collection.table.name} ${key}`),
    )
  }

  /** Characters of what it sends for its records. */
  get length(): number {
    return this.parts.reduce(
      (sum, { records }) => records.reduce((all, { json, key }) => all + (json ?? key).length, sum),
      0,
    )
  }

  /**
   * Batches of one shape as one. The records of a part are in the order of their keys: programs that lock them in
   * different orders would wait for each other.
   */
  static joined(batches: readonly [PreparedBatch, ...PreparedBatch[]]): PreparedBatch {
    const [{ parts }] = batches
    const recordsAt = (index: number) => batches.flatMap((batch) => batch.parts[index]?.records ?? [])
    return new PreparedBatch(
      parts.map((part, index) => ({ ...part, records: recordsAt(index).sort((a, b) => (a.key < b.key ? -1 : 1)) })),
    )
  }
}

/** `insert` absent records, `replace` any record, `update`, `remove` and `check` a revision, `forget` if present. */
type Kind = 'insert' | 'replace' | 'update' | 'remove' | 'forget' | 'check'

interface Part {
  readonly kind: Kind
  readonly collection: StoredCollection
  readonly records: readonly SentRecord[]
}

interface SentRecord {
  readonly key: string
  readonly expect?: string | null | undefined
  /** Of a record that is put. */
  readonly revision?: string
  readonly json?: string
}

const shapeOf = ({ kind, collection }: Part) => `${kind} ${collection.table.name}`

function partsOf({ puts, deletes, checks }: CollectionWrites, collection: StoredCollection): Part[] {
  const parts: Part[] = []
  const add = (kind: Kind, records: readonly SentRecord[]) => {
    if (records.length > 0) parts.push({ kind, collection, records })
  }
  const put = (kind: Kind, isWanted: (expect: RecordWrite['expect']) => boolean) => {
    const writes = puts.filter(({ expect }) => isWanted(expect))
    add(
      kind,
      writes.map((write) => ({ key: write.key, revision: write.revision, json: collection.rows.toJson(write) })),
    )
  }
  put('insert', (expect) => expect === null)
  put('replace', (expect) => expect === undefined)
  put('update', (expect) => typeof expect === 'string')
  const isExpected = ({ expect }: RecordDelete) => expect !== undefined
  add('remove', deletes.filter(isExpected))
  add(
    'forget',
    deletes.filter((each) => !isExpected(each)),
  )
  add('check', checks)
  return parts
}

function valuesOf({ kind, records }: Part): unknown[] {
  const several = records.length > 1
  if (kind === 'insert' || kind === 'replace' || kind === 'update') {
    const rows = records.map(({ json }) => json).join(',')
    return [several ? `[${rows}]` : rows]
  }
  const keys = records.map(({ key }) => key)
  const values = kind === 'forget' ? [keys] : [keys, records.map(({ expect }) => expect)]
  return several ? values : values.map(([value]) => value)
}

/** Written records, for the change feed; removed ones are known only when the statement runs. */
function notesOf(parts: readonly Part[]): string {
  const notes = new ChangeNotes()
  for (const { collection, records } of parts) {
    const { name } = collection.table.declaration
    for (const { key, revision } of records) if (revision !== undefined) notes.put(name, key, revision, false)
  }
  return JSON.stringify(Array.from(notes.rows(), ({ collection, entries }) => [collection, JSON.stringify(entries)]))
}

function textOf(parts: readonly Part[], changes: string): string {
  let parameters = 2
  const next = () => `$${++parameters}`
  const named = parts.map((part, index) => `p${index} AS (${sqlOf(part, next)})`)
  const counts = parts.map((_, index) => `(SELECT count(*) FROM p${index})`)
  const sum = (isWanted: (part: Part) => boolean) =>
    ['0', ...counts.filter((_, at) => isWanted(parts[at] as Part))].join(' + ')
  const removals = parts.flatMap(({ kind, collection }, index) => {
    if (kind !== 'remove' && kind !== 'forget') return []
    return [`SELECT ${escapeLiteral(collection.table.declaration.name)}, (SELECT json_agg(entry)::text FROM p${index})`]
  })
  const noted = ['SELECT note ->> 0, note ->> 1 FROM jsonb_array_elements($2::jsonb) note', ...removals].join(
    ' UNION ALL ',
  )
  return [
    `WITH ${named.join(', ')}`,
    `found AS MATERIALIZED (SELECT ${sum(({ kind }) => kind !== 'forget')} AS expected, ${sum(({ kind }) => kind === 'forget')} AS others)`,
    // Joined with what was found, so that its numbers follow all locks that the statement takes.
    `noted AS (INSERT INTO ${changes} (collection, entries) SELECT n.* FROM found CROSS JOIN LATERAL (${noted}) n(collection, entries) WHERE found.expected = $1::int AND found.others >= 0 AND n.entries IS NOT NULL) SELECT 1 / (CASE WHEN found.expected = $1::int THEN 1 ELSE 0 END) FROM found`,
  ].join(', ')
}

function sqlOf({ kind, records, collection: { table, rows } }: Part, next: () => string): string {
  const count = records.length
  const source = () => (count > 1 ? rows.source(next()) : rows.one(next()))
  const assigned = () => rows.names.map((name, index) => `${name} = ${rows.values[index]}`).join(', ')
  switch (kind) {
    case 'insert':
      return `${rows.insert(source())} ON CONFLICT (${table.key}) DO NOTHING RETURNING 1`
    case 'replace':
      return `${rows.insert(source())} ON CONFLICT (${table.key}) DO UPDATE SET ${rows.excluded} RETURNING 1`
    case 'update':
      return `UPDATE ${table.sql} c SET ${assigned()} FROM ${source()} WHERE c.${table.key} = d.key AND c.${table.revision} = d.expect RETURNING 1`
    case 'forget':
      return `DELETE FROM ${table.sql} c WHERE c.${table.key} = ${count > 1 ? `ANY(${next()}::text[])` : `${next()}::text`} RETURNING ${entryOf(table, rows)}`
    case 'remove':
      return `DELETE FROM ${table.sql} c USING ${expectations(count, next)} WHERE ${asExpected(table)} RETURNING ${entryOf(table, rows)}`
    case 'check':
      return `SELECT 1 FROM ${table.sql} c, ${expectations(count, next)} WHERE ${asExpected(table)} FOR SHARE OF c`
  }
}

/** A removed record in the form kept by the change feed. */
function entryOf({ key, revision }: Table, { kept }: Rows): string {
  return `json_build_array(c.${key}, c.${revision}, ${kept}) AS entry`
}

const asExpected = ({ key, revision }: Table) => `c.${key} = e.key AND c.${revision} = e.revision`

function expectations(count: number, next: () => string): string {
  if (count > 1) return `unnest(${next()}::text[], ${next()}::text[]) AS e(key, revision)`
  return `(SELECT ${next()}::text AS key, ${next()}::text AS revision) AS e`
}
