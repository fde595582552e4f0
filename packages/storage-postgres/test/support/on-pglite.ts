import type { ConformanceOptions } from '@minions/storage-testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { createPglite } from './pglite.ts'
import { serverUrl, storages, type TestDatabase } from './server.ts'

const needsNoServer = { meta: { needs: 'the embedded PostgreSQL: unset MINIONS_TEST_POSTGRES_URL' } }

/** Runs a part of the kit on the embedded PostgreSQL. On the server it runs twice; a third time would show nothing new. */
export function onPglite(conformance: (options: ConformanceOptions) => void): void {
  describe.skipIf(serverUrl !== undefined)('embedded', needsNoServer, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createPglite()
    })
    afterAll(() => database.drop())

    conformance({ name: 'PGlite', create: storages(() => database), concurrency: 'serial' })
  })
}
