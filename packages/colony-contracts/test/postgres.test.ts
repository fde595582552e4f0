import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@minions/storage-postgres'
import { afterAll, beforeAll } from 'vitest'
import { createPostgres } from '../../storage-postgres/test/support/postgres.js'
import type { TestDatabase } from '../../storage-postgres/test/support/server.js'
import { contractsSuite } from './suites/all.js'

let database: TestDatabase
beforeAll(async () => {
  database = await createPostgres()
})
afterAll(() => database.drop())

contractsSuite('PostgreSQL', async () => {
  const { url: connectionString, options } = database
  return { backend: postgresStorage({ connectionString, schema: `t_${randomUUID()}`, ...options }) }
})
