import { clientConformance, storageConformance } from '@minions/storage-testkit'
import { afterAll, beforeAll } from 'vitest'
import { createPglite } from './support/pglite.ts'
import { storages, type TestDatabase } from './support/server.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createPglite()
})
afterAll(() => database.drop())

const options = { name: 'PGlite', create: storages(() => database), concurrency: 'serial' } as const
storageConformance(options)
clientConformance(options)
