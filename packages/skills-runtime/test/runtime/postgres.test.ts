// The suites of this folder on PostgreSQL. The embedded one, with its one session, would prove little more than the
// conformance kit does on it.
import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@minions/storage-postgres'
import { beforeAll, describe } from 'vitest'
import {
  createDatabase,
  needsServer,
  serverUrl,
  type TestDatabase,
} from '../../../storage-postgres/test/support/server.js'
import { chosen } from '../support/chosen.js'
import { separate } from '../support/locations.js'

describe.skipIf(serverUrl === undefined)('a server', needsServer, async () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    return () => database.drop()
  })

  const location = () => {
    const schema = `t_${randomUUID()}`
    const create = () => postgresStorage({ connectionString: database.url, schema })
    return separate(create, () => undefined)
  }
  chosen.backends = [{ name: 'postgres', location }]

  await import('./fetch-object.test.js')
  await import('./states.test.js')
  await import('./execution.test.js')
  await import('./composite.test.js')
  await import('./limits.test.js')
  await import('./persistence.test.js')
  await import('./observation.test.js')
})
