import { type CoreErrorCode, MinionsError } from '@minions/core'
import { Mutex } from '@minions/core/coordination'
import { cloneJson } from '@minions/core/json'
import { isBehind, matcher, type Row, rowOrder } from '@minions/core/memory'
import {
  type CollectionDeclaration,
  columnIndex,
  planUpgrade,
  type StorageBackend,
  type StorageReader,
  type StorageTransaction,
} from '@minions/core/storage'

type Tables = Map<string, { declaration: CollectionDeclaration; rows: Map<string, Row> }>

/** A complete backend in a Map, which neither counts nor searches: all that a backend must do, and no more. */
export function exampleStorage(): StorageBackend {
  const mutex = new Mutex()
  let committed: Tables = new Map()
  let isOpen = false
  const current = () => (isOpen ? committed : refuse('CLOSED', 'The example store is not open.'))
  return {
    name: 'example',
    capabilities: { shared: false, count: false, search: false },
    ...reading(current),
    open: (collections) =>
      mutex.run(async () => {
        const tables: Tables = new Map(committed)
        for (const collection of collections) {
          const old = tables.get(collection.name)
          if (planUpgrade(collection, old?.declaration) === 'none') continue
          const records = [...(old?.rows.values() ?? [])].map(({ record }) => record)
          const rows = records.map((record) => collection.upgrade(record, old?.declaration.version ?? 1))
          const { name, declaration } = collection
          tables.set(name, { declaration, rows: new Map(rows.map((row) => [row.key, row])) })
        }
        committed = verified(tables)
        isOpen = true
      }),
    close: async () => {
      isOpen = await mutex.run(async () => false)
    },
    transaction: (work) =>
      mutex.run(async () => {
        const tables: Tables = new Map()
        for (const [name, table] of current()) tables.set(name, { ...table, rows: new Map(table.rows) })
        const result = await work({ ...reading(() => tables), ...writing(tables) })
        committed = verified(tables)
        return result
      }),
    catalogue: async () =>
      [...current().keys()].sort().map((name) => structuredClone(tableOf(committed, name).declaration)),
  }
}

function reading(tables: () => Tables): StorageReader {
  const copyOf = ({ key, revision, record }: Row) => cloneJson({ key, revision, record })
  return {
    async get(collection, keys) {
      const { rows } = tableOf(tables(), collection)
      return keys.map((key) => rows.get(key)).map((row) => row && copyOf(row))
    },
    async query(collection, plan) {
      if (plan.words.length > 0) refuse('CAPABILITY_MISSING', 'The example store cannot search.')
      const { rows } = tableOf(tables(), collection)
      const found = [...rows.values()].filter(matcher(plan)).filter(isBehind(plan))
      return found.sort(rowOrder(plan)).slice(0, plan.limit).map(copyOf)
    },
    count: async () => refuse('CAPABILITY_MISSING', 'The example store cannot count; core counts by reading.'),
  }
}

function writing(tables: Tables): Pick<StorageTransaction, 'put' | 'delete'> {
  const expecting = (collection: string, key: string, expect: string | null | undefined) => {
    const { rows } = tableOf(tables, collection)
    const current = rows.get(key)?.revision ?? null
    if (expect === undefined || expect === current) return rows
    return refuse('CONFLICT', `"${key}" has changed.`, { collection, key, current })
  }
  return {
    async put(collection, writes) {
      for (const row of writes) expecting(collection, row.key, row.expect).set(row.key, row)
    },
    delete: async (collection, keys) => keys.map(({ key, expect }) => expecting(collection, key, expect).delete(key)),
  }
}

function verified(tables: Tables): Tables {
  for (const [collection, { declaration, rows }] of tables) {
    for (const { key, columns: values, references } of rows.values()) {
      for (const columns of declaration.unique) {
        const at = columns.map((name) => columnIndex(declaration, name))
        const others = [...rows.values()].filter((other) => other.key !== key)
        const twin = others.find((other) => at.every((n) => values[n] !== null && values[n] === other.columns[n]))
        if (twin) refuse('UNIQUE_VIOLATION', `"${twin.key}" is a twin.`, { collection, key: twin.key, columns })
      }
      for (const [index, { collection: reference }] of declaration.references.entries()) {
        const target = references[index] ?? null
        const isThere = target === null || tables.get(reference)?.rows.has(target)
        if (!isThere)
          refuse('REFERENCE_VIOLATION', `"${key}" refers to nothing.`, { collection, key, reference, target })
      }
    }
  }
  return tables
}
const tableOf = (tables: Tables, name: string) =>
  tables.get(name) ?? refuse('NOT_FOUND', `The example store has no collection "${name}".`, { collection: name })

function refuse(code: CoreErrorCode, message: string, details = {}): never {
  throw new MinionsError(code, message, { details })
}
