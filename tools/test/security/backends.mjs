// @ts-check
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { fsStorage } from '@minions/storage-fs'
import { postgresStorage } from '@minions/storage-postgres'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterAll, onTestFinished } from 'vitest'
import { createPglite } from '../../../packages/storage-postgres/test/support/pglite.ts'

/** @import { StorageBackend } from '@minions/core/storage' */

/** @type {ReturnType<typeof createPglite> | undefined} */
let server
let schemas = 0
afterAll(async () => (await server)?.drop())

/** A folder that is removed after the test. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'minions-security-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes an empty store in a folder, for every backend by its name. @type {Record<string, (folder: string) => Promise<StorageBackend>>} */
export const backends = {
  memory: async () => memoryStorage(),
  SQLite: async (folder) => sqliteStorage({ path: join(folder, 'minions.db') }),
  'files, JSON': async (folder) => fsStorage({ root: join(folder, 'store') }),
  'files, YAML': async (folder) => fsStorage({ root: join(folder, 'store'), format: 'yaml' }),
  PostgreSQL: async () => {
    // It takes seconds to start, so the tests of a file share one and have a schema each.
    server ??= createPglite()
    const { url, options } = await server
    return postgresStorage({ connectionString: url, schema: `test_${schemas++}`, ...options })
  },
}

/** Opens a client on a new store. @param {StorageBackend} storage */
export async function openClient(storage) {
  const minions = await Minions.open({ storage })
  onTestFinished(() => minions.close())
  return minions
}
