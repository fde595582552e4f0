import { coreError } from '../errors/codes.js'
import { guarded, guardMethods } from '../errors/guard.js'
import { takeOptions } from '../errors/take.js'
import type { Expectation, Key } from './access.js'
import type { CollectionWrites, RecordCheck, RecordDelete, RecordWrite, StorageTransaction } from './backend.js'
import type { Collection } from './collection.js'
import { encode } from './reader.js'
import { newRevision } from './revision.js'
import { writeConflict } from './write-conflict.js'

/**
 * Writes to any collections that take effect together, or not at all when one of their expectations fails. A batch
 * reads nothing, so it needs no transaction around it. Records are validated and copied when they are added; a batch
 * can be written again, for example after a transient `CONFLICT`.
 */
export class WriteBatch {
  readonly #parts = new Map<string, Part>()

  /** The contents of the batch by collection, for a backend. */
  get parts(): readonly CollectionWrites[] {
    return [...this.#parts.values()]
  }

  /** Adds a record and returns the revision that it will have. */
  put<T>(collection: Collection<T>, record: NoInfer<T>, expect?: Expectation): string {
    const write = prepared(collection, record, expect)
    this.#part(collection, write.key).puts.push(write)
    return write.revision
  }

  /** Adds the removal of a record. Without an expectation it need not exist. */
  delete(collection: Collection, key: Key, expect?: { readonly ifRevision: string }): void {
    const { ifRevision } = takeOptions('`expect` of a delete', expect)
    const encoded = encode(collection, key)
    const removal = { key: encoded, ...(ifRevision !== undefined && { expect: ifRevision }) }
    this.#part(collection, encoded).deletes.push(removal)
  }

  /** Requires that a record still has a revision, or still does not exist, when the batch takes effect. */
  check(collection: Collection, key: Key, expect: Expectation): void {
    const encoded = encode(collection, key)
    this.#part(collection, encoded).checks.push({ key: encoded, expect: expected(expect) })
  }

  #part({ name }: Collection, key: string): Part {
    let part = this.#parts.get(name)
    if (part === undefined) {
      part = { collection: name, puts: [], deletes: [], checks: [], keys: new Set() }
      this.#parts.set(name, part)
    }
    if (part.keys.has(key)) {
      throw coreError('VALIDATION_FAILED', `A batch names the record "${key}" of "${name}" twice; name it once.`, {
        details: { collection: name, key },
      })
    }
    part.keys.add(key)
    return part
  }
}

// A record is copied within the limits of one.
guardMethods(WriteBatch, { skipsInside: ['put'] })

/** The contents of a batch. Throws `VALIDATION_FAILED` for anything else. */
export const partsOf = guarded('A store', (batch: WriteBatch): readonly CollectionWrites[] => {
  const { parts } = batch
  if (Array.isArray(parts)) return parts
  throw coreError('VALIDATION_FAILED', 'A store can write only a `WriteBatch` at once.')
})

/** What a batch has for a backend: one record to write, on condition that a record of another collection is unchanged. */
export function writeOnCondition(
  collection: Collection,
  write: RecordWrite,
  other: Collection,
  check: RecordCheck,
): readonly CollectionWrites[] {
  return [
    { collection: other.name, puts: NONE, deletes: NONE, checks: [check] },
    { collection: collection.name, puts: [write], deletes: NONE, checks: NONE },
  ]
}

const NONE: readonly never[] = []

interface Part extends CollectionWrites {
  readonly puts: RecordWrite[]
  readonly deletes: RecordDelete[]
  readonly checks: RecordCheck[]
  readonly keys: Set<string>
}

/** Writes a batch as part of a transaction, for backends without their own `write`. */
export const writeInTransaction = guarded('writeInTransaction', writeInTransactionUnchecked)

async function writeInTransactionUnchecked(tx: StorageTransaction, parts: readonly CollectionWrites[]): Promise<void> {
  for (const { collection, checks } of parts) {
    if (checks.length === 0) continue
    const found = await tx.get(
      collection,
      checks.map(({ key }) => key),
    )
    for (const [index, { key, expect }] of checks.entries()) {
      const current = found[index]?.revision ?? null
      if (current !== expect) throw writeConflict(collection, key, expect, current)
    }
  }
  for (const { collection, puts, deletes } of parts) {
    if (puts.length > 0) await tx.put(collection, puts)
    if (deletes.length > 0) await tx.delete(collection, deletes)
  }
}

const prepared = guarded(
  'A batch',
  (collection: Collection, record: unknown, expect: Expectation | undefined) =>
    collection.toWrite(record, newRevision(), expected(expect)),
  { checksInside: false },
)

/** The expectation that a backend compares with the current revision. */
export function expected(expect: Expectation): string | null
export function expected(expect: Expectation | undefined): string | null | undefined
export function expected(expect: Expectation | undefined): string | null | undefined {
  if (expect === undefined) return undefined
  const taken = takeOptions('`expect` of a write', expect)
  return 'ifAbsent' in taken ? null : taken.ifRevision
}
