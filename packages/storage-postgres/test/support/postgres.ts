import { createPglite } from './pglite.ts'
import { createDatabase, serverUrl, type TestDatabase } from './server.ts'

/** PostgreSQL for suites that have no need of both: on the server where one is named, else embedded. */
export const createPostgres = (): Promise<TestDatabase> => (serverUrl === undefined ? createPglite() : createDatabase())
