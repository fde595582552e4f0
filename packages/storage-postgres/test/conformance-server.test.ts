import { clientConformance, storageConformance } from '@minions/storage-testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { createDatabase, LOCALES, needsServer, serverUrl, storages, type TestDatabase } from './support/server.ts'

for (const locale of Object.keys(LOCALES) as (keyof typeof LOCALES)[]) {
  describe.skipIf(serverUrl === undefined)(`PostgreSQL server, ${locale} locale`, needsServer, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase(locale)
    })
    afterAll(() => database?.drop())

    const options = { name: 'PostgreSQL', create: storages(() => database) }
    storageConformance(options)
    clientConformance(options)
  })
}
