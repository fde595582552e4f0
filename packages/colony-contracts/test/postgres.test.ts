import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@minions/storage-postgres'
import { beforeAll, describe } from 'vitest'
import {
  createDatabase,
  needsServer,
  serverUrl,
  type TestDatabase,
} from '../../storage-postgres/test/support/server.js'
import { contractsSuite } from './suites/all.js'

// The embedded PostgreSQL, with its one session, would prove little more than the conformance kit does on it.
describe.skipIf(serverUrl === undefined)('a server', needsServer, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    return () => database.drop()
  })

  contractsSuite('PostgreSQL', async () => {
    return { backend: postgresStorage({ connectionString: database.url, schema: `t_${randomUUID()}` }) }
  })
})
