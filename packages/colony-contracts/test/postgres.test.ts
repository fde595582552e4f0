import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@minions/storage-postgres'
import { afterAll, beforeAll, describe } from 'vitest'
import { createPglite } from '../../storage-postgres/test/support/pglite.js'
import {
  createDatabase,
  needsServer,
  serverUrl,
  type TestDatabase,
} from '../../storage-postgres/test/support/server.js'
import { contractsSuite } from './suites/all.js'

suiteOn('PGlite', createPglite)
describe.skipIf(serverUrl === undefined)('server', needsServer, () => suiteOn('PostgreSQL', createDatabase))

function suiteOn(name: string, start: () => Promise<TestDatabase>): void {
  let database: TestDatabase | undefined
  beforeAll(async () => {
    database = await start()
  })
  afterAll(() => database?.drop())
  contractsSuite(name, async () => {
    const { url: connectionString, options } = database as TestDatabase
    return { backend: postgresStorage({ connectionString, schema: `t_${randomUUID()}`, ...options }) }
  })
}
