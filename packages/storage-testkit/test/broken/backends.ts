import { memoryStorage } from '@minions/core/memory'
import {
  type QueryPlan,
  type RecordText,
  type StorageBackend,
  type StorageReader,
  type StorageTransaction,
  type StoredRecord,
  valueAt,
  writeInTransaction,
} from '@minions/core/storage'
import { decorate } from '../../src/index.js'

type Work<T> = (tx: StorageTransaction) => Promise<T>

/** Transactions are not kept apart: each reads what is committed and writes at the end, whatever happened meanwhile. */
export function losesUpdates(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    async transaction<T>(work: Work<T>): Promise<T> {
      const writes: ((tx: StorageTransaction) => Promise<unknown>)[] = []
      const result = await work({
        ...readerOf(backend),
        put: async (collection, list) => void writes.push((tx) => tx.put(collection, list.map(withoutExpectation))),
        delete: async (collection, list) => {
          writes.push((tx) => tx.delete(collection, list))
          return list.map(() => true)
        },
      })
      await backend.transaction(async (tx) => {
        for (const write of writes) await write(tx)
      })
      return result
    },
  })
}

/** Strings are ordered as JavaScript does, by UTF-16 unit. */
export function ordersByUtf16(): StorageBackend {
  return withQueries(async (backend, collection, plan) => {
    const found = await backend.query(collection, { ...plan, limit: 100_000 })
    const [first] = plan.order
    if (!first) return found.slice(0, plan.limit)
    const sorted = found.sort((a, b) => {
      const [x, y] = [valueAt(a.record, first.operand.path), valueAt(b.record, first.operand.path)]
      if (typeof x !== 'string' || typeof y !== 'string' || x === y) return 0
      return x < y === (first.direction === 'asc') ? -1 : 1
    })
    return sorted.slice(0, plan.limit)
  })
}

/** Every record is read from its text, and only then is a page of them taken. */
export function readsWholeTables(): StorageBackend {
  return withQueries(async (backend, collection, plan) => {
    const all = await backend.query(collection, { ...plan, limit: 100_000 })
    return all.map((stored): StoredRecord => JSON.parse(JSON.stringify(stored))).slice(0, plan.limit)
  })
}

/** Names come as `jsonb` of PostgreSQL keeps them: the shorter first. */
export function ordersNamesByLength(): StorageBackend {
  const backend = memoryStorage()
  const reordered = ({ record, ...stored }: StoredRecord): StoredRecord => {
    const entries = Object.entries(record).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    return { ...stored, record: Object.fromEntries(entries) }
  }
  return decorate(backend, {
    get: async (collection, keys) => (await backend.get(collection, keys)).map((stored) => stored && reordered(stored)),
    query: async (collection, plan) => (await backend.query(collection, plan)).map(reordered),
  })
}

/** A list of values that are not those of a column finds nothing, once there are many records. */
export function losesListsOfValues(): StorageBackend {
  return withQueries(async (backend, collection, plan) => {
    const { where } = plan
    const isLost = where?.op === 'in' && where.operand.column === undefined && !where.operand.key
    const all = await backend.count(collection, { words: [] })
    return isLost && all > 16 ? [] : backend.query(collection, plan)
  })
}

/** The record that is handed out is the one that is kept. */
export function handsOutLiveRecords(): StorageBackend {
  const backend = memoryStorage()
  const live = new Map<string, StoredRecord>()
  const get: StorageReader['get'] = async (collection, keys) => {
    const found = await backend.get(collection, keys)
    return found.map((stored) => {
      if (!stored) return stored
      const known = live.get(`${collection} ${stored.key} ${stored.revision}`) ?? stored
      live.set(`${collection} ${stored.key} ${stored.revision}`, known)
      return known
    })
  }
  return decorate(backend, { get })
}

/** What was written before an error stays. */
export function keepsHalfTransactions(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    transaction: <T>(work: Work<T>) =>
      work({
        ...readerOf(backend),
        put: (collection, writes) => backend.transaction((tx) => tx.put(collection, writes)),
        delete: (collection, deletes) => backend.transaction((tx) => tx.delete(collection, deletes)),
      }),
  })
}

/** A page after the first begins one record too late. */
export function skipsARowAfterACursor(): StorageBackend {
  return withQueries(async (backend, collection, plan) => {
    const found = await backend.query(collection, plan.after ? { ...plan, limit: plan.limit + 1 } : plan)
    return plan.after ? found.slice(1) : found
  })
}

/** A page begins behind all records with the same sort value as the last one. */
export function forgetsTheKeyInACursor(): StorageBackend {
  return withQueries((backend, collection, plan) => {
    if (!plan.after) return backend.query(collection, plan)
    const key = plan.keyDirection === 'asc' ? '\u{10FFFF}' : '\u0001'
    return backend.query(collection, { ...plan, after: { ...plan.after, key } })
  })
}

/** Others see what a transaction writes before it commits. */
export function showsUncommittedWrites(): StorageBackend {
  const backend = memoryStorage()
  let current: StorageTransaction | undefined
  const source = (): StorageReader => current ?? backend
  return decorate(backend, {
    get: (collection, keys) => source().get(collection, keys),
    query: (collection, plan) => source().query(collection, plan),
    count: (collection, selection) => source().count(collection, selection),
    transaction: (work) =>
      backend.transaction(async (tx) => {
        current = tx
        try {
          return await work(tx)
        } finally {
          current = undefined
        }
      }),
  })
}

/** References are not looked at. */
export function ignoresReferences(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    transaction: (work) =>
      backend.transaction((tx) =>
        work({
          ...readerOf(tx),
          put: (collection, writes) =>
            tx.put(
              collection,
              writes.map((write) => ({ ...write, references: write.references.map(() => null) })),
            ),
          delete: (collection, deletes) => tx.delete(collection, deletes),
        }),
      ),
  })
}

/** Unique columns are not looked at. */
export function ignoresUniqueness(): StorageBackend {
  return withOpen((backend, collections) =>
    backend.open(
      collections.map((collection) =>
        Object.assign(Object.create(collection), { declaration: { ...collection.declaration, unique: [] } }),
      ),
    ),
  )
}

/** A search that is declared off finds nothing, instead of saying that it cannot. */
export function pretendsToSearch(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    capabilities: { ...backend.capabilities, search: false },
    query: async (collection, plan) => (plan.words.length > 0 ? [] : backend.query(collection, plan)),
  })
}

/** Nothing outlives the backend. */
export function forgetsWhenClosed(): StorageBackend {
  let backend = memoryStorage()
  return {
    ...decorate(backend, {}),
    open: (collections) => backend.open(collections),
    close: async () => {
      await backend.close()
      backend = memoryStorage()
    },
    get: (collection, keys) => backend.get(collection, keys),
    query: (collection, plan) => backend.query(collection, plan),
    count: (collection, selection) => backend.count(collection, selection),
    catalogue: () => backend.catalogue(),
    transaction: (work) => backend.transaction(work),
  }
}

function withQueries(
  query: (reader: StorageReader, collection: string, plan: QueryPlan) => Promise<StoredRecord[]>,
): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, { query: (collection, plan) => query(backend, collection, plan) })
}

function withOpen(
  open: (backend: StorageBackend, collections: Parameters<StorageBackend['open']>[0]) => Promise<void>,
): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, { open: (collections) => open(backend, collections) })
}

function readerOf(reader: StorageReader): StorageReader {
  return {
    get: (collection, keys) => reader.get(collection, keys),
    query: (collection, plan) => reader.query(collection, plan),
    count: (collection, selection) => reader.count(collection, selection),
  }
}

function withoutExpectation<T extends { expect?: unknown }>({ expect: _, ...write }: T): Omit<T, 'expect'> {
  return write
}

/** A batch is written piece by piece, so that what comes before a conflict stays. */
export function keepsHalfBatches(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    async write(batch) {
      for (const writes of batch) await backend.transaction((tx) => writeInTransaction(tx, [writes]))
    },
  })
}

/** What a batch only looks at may have changed. */
export function ignoresChecks(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    write: (batch) =>
      backend.transaction((tx) =>
        writeInTransaction(
          tx,
          batch.map((writes) => ({ ...writes, checks: [] })),
        ),
      ),
  })
}

/** A claim looks first and takes later, whatever others took meanwhile. */
export function claimsTwice(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    capabilities: { ...backend.capabilities, claim: true },
    async claim(collection, plan, change) {
      const writes = (await backend.query(collection, plan)).map(change).map(withoutExpectation)
      await backend.transaction((tx) => tx.put(collection, writes))
      return writes
    },
  })
}

/** A record read at once is the one that was read before, whatever was written since. */
export function remembersWhatItRead(): StorageBackend {
  const backend = memoryStorage()
  const known = new Map<string, RecordText>()
  return decorate(backend, {
    getNow(collection, key) {
      const found = known.get(key) ?? backend.getNow?.(collection, key)
      if (found) known.set(key, found)
      return found
    },
  })
}

/** A record read at once says that the data is older than it is. */
export function readsAnOldVersion(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    getNow(collection, key) {
      const found = backend.getNow?.(collection, key)
      return found && { ...found, version: Number(backend.dataVersion?.()) - 1 }
    },
  })
}

/** Says that nothing was committed between any two reads. */
export function hasOneVersion(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    get: async (collection, keys) =>
      (await backend.get(collection, keys)).map((found) => found && { ...found, version: 'the first' }),
  })
}

/** The text of a record is not what it was written as. */
export function spacesItsTexts(): StorageBackend {
  const backend = memoryStorage()
  return decorate(backend, {
    getNow(collection, key) {
      const found = backend.getNow?.(collection, key)
      return found && { ...found, json: JSON.stringify(found.record, null, 2) }
    },
  })
}
