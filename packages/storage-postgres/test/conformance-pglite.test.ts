import { clientConformance, storageConformance } from '@minions/storage-testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { createPglite } from './support/pglite.ts'
import { serverUrl, storages, type TestDatabase } from './support/server.ts'

const needsNoServer = { meta: { needs: 'the embedded PostgreSQL: unset MINIONS_TEST_POSTGRES_URL' } }

// On the server the kit runs twice, once for each locale; a third time would show nothing new.
describe.skipIf(serverUrl !== undefined)('embedded', needsNoServer, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createPglite()
  })
  afterAll(() => database.drop())

  const options = { name: 'PGlite', create: storages(() => database), concurrency: 'serial' } as const
  storageConformance(options)
  clientConformance(options)
})
