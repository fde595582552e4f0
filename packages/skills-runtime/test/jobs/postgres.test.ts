import { randomUUID } from 'node:crypto'
import { postgresStorage } from '@minions/storage-postgres'
import { beforeAll, describe, it } from 'vitest'
import { createPostgres } from '../../../storage-postgres/test/support/postgres.js'
import { serverUrl, type TestDatabase } from '../../../storage-postgres/test/support/server.js'
import type { Executor } from '../../src/jobs/index.js'
import { type ExecutorCluster, executorCases } from '../../src/testing/index.js'
import { SharedStore } from '../support/clusters.js'

let database: TestDatabase

beforeAll(async () => {
  database = await createPostgres()
  return () => database.drop()
})

/** The embedded database has one session, so all members of a cluster share a store there. */
function onPostgres(): ExecutorCluster {
  const { url: connectionString, options } = database
  const schema = `t_${randomUUID()}`
  const create = () => postgresStorage({ connectionString, schema, ...options })
  const cluster = new SharedStore(create, () => undefined)
  if (serverUrl !== undefined) return cluster
  let only: Promise<Executor> | undefined
  return {
    join: () => {
      only ??= cluster.join()
      return only
    },
    close: () => cluster.close(),
  }
}

describe('workers on PostgreSQL', () => {
  for (const { name, run } of executorCases) it(name, () => run(onPostgres))
})
