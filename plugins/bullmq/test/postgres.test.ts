import { executorCases } from '@minions/skills-runtime/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  createDatabase,
  needsServer,
  serverUrl,
  type TestDatabase,
} from '../../../packages/storage-postgres/test/support/server.ts'
import { TestCluster } from './support/cluster.ts'

describe.skipIf(serverUrl === undefined)('BullMQ on PostgreSQL', needsServer, () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createDatabase()
  })

  afterAll(async () => {
    await database.drop()
  })

  for (const { name, run } of executorCases) it(name, () => run(() => new TestCluster(database.url)))
})
