import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { fsStorage } from '@minions/storage-fs'
import { postgresStorage } from '@minions/storage-postgres'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterAll } from 'vitest'
import { scratchFolder } from '../../../../tools/scratch-folder.js'
import { createPostgres } from '../../../storage-postgres/test/support/postgres.js'
import type { TestDatabase } from '../../../storage-postgres/test/support/server.js'

/** Where a store is kept: each call opens the same data again. */
export type Location = () => Promise<StorageBackend>

const folders: string[] = []
let database: Promise<TestDatabase> | undefined

afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await (await database)?.drop()
})

function newFolder(): string {
  const folder = mkdtempSync(join(scratchFolder, 'minions-prompts-'))
  folders.push(folder)
  return folder
}

/** Every backend, each with a function that finds a new location. */
export const everyBackend: readonly (readonly [name: string, locate: () => Location])[] = [
  [
    'memory',
    () => {
      const storage = memoryStorage()
      return async () => storage
    },
  ],
  [
    'SQLite',
    () => {
      const path = join(newFolder(), 'a.db')
      return async () => sqliteStorage({ path, synchronous: 'off' })
    },
  ],
  [
    'files',
    () => {
      const root = newFolder()
      return async () => fsStorage({ root })
    },
  ],
  [
    'PostgreSQL',
    () => {
      const schema = `t_${randomUUID()}`
      return async () => {
        database ??= createPostgres()
        const { url: connectionString, options } = await database
        return postgresStorage({ connectionString, schema, ...options })
      }
    },
  ],
]
