import * as core from '@minions/core'

type Tables = Map<string, { declaration: core.CollectionDeclaration; rows: Map<string, core.Row> }>

/** A complete backend in a Map, which neither counts nor searches: all that a backend must do, and no more. */
export function exampleStorage(): core.StorageBackend {
  const queue = new core.Queue()
  let committed: Tables = new Map()
  let isOpen = false
  const current = () => (isOpen ? committed : refuse('CLOSED', 'The example store is not open.'))
  return {
    name: 'example',
    capabilities: { shared: false, count: false, search: false },
    ...reading(current),
    open: (collections) =>
      queue.run(async () => {
        const tables: Tables = new Map(committed)
        for (const collection of collections) {
          const old = tables.get(collection.name)
          if (core.planUpgrade(collection, old?.declaration) === 'none') continue
          const records = [...(old?.rows.values() ?? [])].map(({ record }) => record)
          const rows = records.map((record) => collection.upgrade(record, old?.declaration.version ?? 1))
          const { name, declaration } = collection
          tables.set(name, { declaration, rows: new Map(rows.map((row) => [row.key, row])) })
        }
        committed = verified(tables)
        isOpen = true
      }),
    close: async () => {
      isOpen = await queue.run(async () => false)
    },
    transaction: (work) =>
      queue.run(async () => {
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

function reading(tables: () => Tables): core.StorageReader {
  const copyOf = ({ key, revision, record }: core.Row) => structuredClone({ key, revision, record })
  return {
    async get(collection, keys) {
      const { rows } = tableOf(tables(), collection)
      return keys.map((key) => rows.get(key)).map((row) => row && copyOf(row))
    },
    async query(collection, plan) {
      if (plan.words.length > 0) refuse('CAPABILITY_MISSING', 'The example store cannot search.')
      const { rows } = tableOf(tables(), collection)
      const found = [...rows.values()].filter(core.matcher(plan)).filter(core.isBehind(plan))
      return found.sort(core.rowOrder(plan)).slice(0, plan.limit).map(copyOf)
    },
    count: async () => refuse('CAPABILITY_MISSING', 'The example store cannot count; core counts by reading.'),
  }
}

function writing(tables: Tables): Pick<core.StorageTransaction, 'put' | 'delete'> {
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
        const at = columns.map((name) => core.columnIndex(declaration, name))
        const others = [...rows.values()].filter((other) => other.key !== key)
        const twin = others.find((other) => at.every((n) => values[n] !== null && values[n] === other.columns[n]))
        if (twin) refuse('UNIQUE_VIOLATION', `"${twin.key}" is a twin.`, { collection, key: twin.key, columns })
      }
      for (const [index, { collection: reference }] of declaration.references.entries()) {
        const target = references[index] ?? null
        const isThere = target === null || tables.get(reference)?.rows.has(target)
        if (!isThere) refuse('REFERENCE_VIOLATION', `"${key}" refers to nothing.`, { collection, key, reference })
      }
    }
  }
  return tables
}
const tableOf = (tables: Tables, name: string) =>
  tables.get(name) ?? refuse('NOT_FOUND', `The example store has no collection "${name}".`, { collection: name })

function refuse(code: core.CoreErrorCode, message: string, details = {}): never {
  throw new core.MinionsError(code, message, { details })
}
