import { createHash } from 'node:crypto'
import { canonicalJson, type JsonObject, jsonEqual } from '@minions/core/json'
import { Collection, type Store, type StoreTransaction } from '@minions/core/storage'
import { cliError } from '../errors.js'
import { batches } from './batches.js'

export interface CopiedCollection {
  readonly collection: string
  readonly records: number
  /** Number of records that did not exist yet. */
  readonly written: number
  /** SHA-256 over the canonical JSON of all records in the order of their keys, the same on both sides. */
  readonly checksum: string
}

export interface CopyOptions {
  readonly onProgress?: (collection: string, done: number, total: number) => void
  readonly signal?: AbortSignal
  /** Replaces records that differ under the same key. */
  readonly overwrite?: boolean
}

/**
 * Copies everything in one store to another. Every batch is committed on its own and existing records are skipped, so
 * an interrupted copy is continued by copying again. At the end both sides are read and compared.
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopiedCollection[]> {
  const collections = (await from.catalogue()).map((declaration) => new Collection(declaration))
  await to.backend.open(collections)
  const written = new Map<string, number>()
  for (const group of inOrder(collections)) {
    for (const [name, count] of await copyGroup(from, to, group, options)) written.set(name, count)
  }
  const copied: CopiedCollection[] = []
  for (const collection of collections) {
    const [source, target] = [await summarize(from, collection), await summarize(to, collection)]
    if (source.checksum !== target.checksum) throw differs(collection.name, source.records, target.records)
    copied.push({ collection: collection.name, ...source, written: written.get(collection.name) ?? 0 })
  }
  return copied
}

/** Collections in dependency order; those that refer to each other, or to themselves, form one group. */
function inOrder(collections: readonly Collection[]): Collection[][] {
  const groups: Collection[][] = []
  let waiting = [...collections]
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const ready = waiting.filter(({ name, declaration }) =>
      declaration.references.every((reference) => reference.collection === name || !names.has(reference.collection)),
    )
    if (ready.length === 0) return [...groups, waiting]
    groups.push(...ready.map((collection) => [collection]))
    waiting = waiting.filter((collection) => !ready.includes(collection))
  }
  return groups
}

/** One transaction per batch, or one for the whole group if records refer to others of the group. */
async function copyGroup(
  from: Store,
  to: Store,
  group: readonly Collection[],
  options: CopyOptions,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const [only] = group
  if (group.length === 1 && only && !only.declaration.references.some(({ collection }) => collection === only.name)) {
    counts.set(only.name, await copyRecords(from, (work) => to.transaction(work), only, options))
    return counts
  }
  await to.transaction(
    async (tx) => {
      for (const collection of group) {
        counts.set(collection.name, await copyRecords(from, (work) => work(tx), collection, options))
      }
    },
    { timeout: null },
  )
  return counts
}

async function copyRecords(
  from: Store,
  transact: (work: (tx: StoreTransaction) => Promise<number>) => Promise<number>,
  collection: Collection,
  { onProgress, signal, overwrite = false }: CopyOptions,
): Promise<number> {
  let written = 0
  let done = 0
  const total = onProgress === undefined ? 0 : await from.count(collection)
  for await (const records of batches(from, collection)) {
    signal?.throwIfAborted()
    written += await transact((tx) => putBatch(tx, collection, records, overwrite))
    done += records.length
    onProgress?.(collection.name, done, Math.max(total, done))
  }
  return written
}

async function putBatch(
  tx: StoreTransaction,
  collection: Collection,
  records: readonly JsonObject[],
  overwrite: boolean,
): Promise<number> {
  const keys = records.map((record) => collection.keyParts(record))
  const there = await tx.getMany(collection, keys)
  const missing = records.filter((_, index) => there[index] === undefined)
  const differing = records.flatMap((record, index) => {
    const before = there[index]?.record as JsonObject | undefined
    return before && !jsonEqual(before, record) ? [{ before, record }] : []
  })
  const changed = differing.map(({ record }) => record)
  const isSame = collection.name === 'types' ? isSameType : () => false
  const conflict = overwrite ? undefined : differing.find(({ before, record }) => !isSame(before, record))?.record
  if (conflict) {
    const key = collection.keyParts(conflict).join('/')
    throw cliError(
      'COPY_CONFLICT',
      `The target has a different record "${key}" in "${collection.name}"; copy to an empty store, or pass --overwrite.`,
      { details: { collection: collection.name, key } },
    )
  }
  await tx.putMany(collection, missing, { ifAbsent: true })
  await tx.putMany(collection, changed)
  return missing.length + changed.length
}

/** Types declared in code are stored whenever a store is opened, so only their times differ. */
function isSameType(before: JsonObject, record: JsonObject): boolean {
  const timeless = ({ createdAt: _c, updatedAt: _u, ...rest }: JsonObject) => rest
  return jsonEqual(timeless(before), timeless(record))
}

async function summarize(store: Store, collection: Collection): Promise<{ records: number; checksum: string }> {
  const hash = createHash('sha256')
  let records = 0
  for await (const batch of batches(store, collection)) {
    for (const record of batch) hash.update(`${canonicalJson(record)}\n`)
    records += batch.length
  }
  return { records, checksum: hash.digest('hex') }
}

function differs(collection: string, source: number, target: number): Error {
  return cliError(
    'COPY_INCOMPLETE',
    `"${collection}" has ${source} records in the source and ${target} in the target, or their content differs; if the source was written to in the meantime, copy again.`,
    { details: { collection, source, target } },
  )
}
