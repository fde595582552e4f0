import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@minions/core/memory'
import { type StorageBackend, Store } from '@minions/core/storage'
import { fsStorage } from '@minions/storage-fs'
import { postgresStorage } from '@minions/storage-postgres'
import { sqliteStorage } from '@minions/storage-sqlite'
import { beforeAll } from 'vitest'
import { createPostgres } from '../../../storage-postgres/test/support/postgres.js'
import { serverUrl, type TestDatabase } from '../../../storage-postgres/test/support/server.js'
import { skillsCollections } from '../../src/index.js'
import { watchStore } from '../../src/testing/index.js'
import { onPostgres } from './on-postgres.js'

/** A place for a store that can be opened more than once, as two processes would. */
export interface Place {
  open(): Promise<Store>
  dispose(): Promise<void>
}

/** A kind of storage to run a suite on; there is no place where the runtime keeps everything itself. */
export interface Backend {
  readonly name: string
  place(): Place | undefined
}

/** Every opening is a store of its own on the same data. */
function separate(create: () => StorageBackend | Promise<StorageBackend>, cleanUp: () => void): Place {
  const stores: Store[] = []
  return {
    async open() {
      const store = watchStore(await Store.open(await create(), skillsCollections))
      stores.push(store)
      return store
    },
    async dispose() {
      for (const store of stores) await store.close()
      cleanUp()
    },
  }
}

/** All openings share one store, where a second one could not see the data or would be in its way. */
function shared(create: () => StorageBackend | Promise<StorageBackend>): Place {
  let store: Promise<Store> | undefined
  return {
    open: () => {
      store ??= Promise.resolve(create()).then(async (backend) =>
        watchStore(await Store.open(backend, skillsCollections)),
      )
      return store
    },
    dispose: async () => (await store)?.close(),
  }
}

function inFolder(create: (folder: string) => StorageBackend): Place {
  const folder = mkdtempSync(join(tmpdir(), 'minions-skills-'))
  return separate(
    () => create(folder),
    () => rmSync(folder, { recursive: true, force: true }),
  )
}

/** One database for a whole file, since starting one takes seconds. PGlite has one session for all connections. */
let database: TestDatabase
if (onPostgres.only) {
  beforeAll(async () => {
    database = await createPostgres()
    return () => database.drop()
  })
}

function inDatabase(): Place {
  const schema = `t_${randomUUID()}`
  const create = () => {
    const { url: connectionString, options } = database
    return postgresStorage({ connectionString, schema, ...options })
  }
  return serverUrl === undefined ? shared(create) : separate(create, () => undefined)
}

/** Backends that keep records outside the runtime. */
export const stores: readonly Backend[] = onPostgres.only
  ? [{ name: 'postgres', place: inDatabase }]
  : [
      { name: 'memory', place: () => shared(memoryStorage) },
      {
        name: 'sqlite',
        place: () => inFolder((folder) => sqliteStorage({ path: join(folder, 'a.db'), synchronous: 'off' })),
      },
      { name: 'files', place: () => inFolder((folder) => fsStorage({ root: folder })) },
    ]

/** Every way to keep records. */
export const backends: readonly Backend[] = onPostgres.only
  ? stores
  : [{ name: 'no persistence', place: () => undefined }, ...stores]
