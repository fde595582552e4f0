// The suites of this folder on PostgreSQL: all in one file, because starting it takes seconds.
import { onPostgres } from '../support/on-postgres.js'

onPostgres.only = true

await import('./fetch-object.test.js')
await import('./states.test.js')
await import('./execution.test.js')
await import('./composite.test.js')
await import('./limits.test.js')
await import('./persistence.test.js')
await import('./observation.test.js')
