import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@minions/storage-postgres'
import { beforeAll, describe, it } from 'vitest'
import {
  createDatabase,
  needsServer,
  serverUrl,
  type TestDatabase,
} from '../../../storage-postgres/test/support/server.js'
import { executorCases } from '../../src/testing/index.js'
import { SharedStore } from '../support/clusters.js'

describe.skipIf(serverUrl === undefined)('workers on PostgreSQL', needsServer, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    return () => database.drop()
  })

  function onPostgres() {
    const schema = `t_${randomUUID()}`
    return new SharedStore(
      () => postgresStorage({ connectionString: database.url, schema }),
      () => undefined,
    )
  }

  for (const { name, run } of executorCases) it(name, () => run(onPostgres))
})
