import { guarded } from '@minions/core/plugin'
import { type StorageBackend, takeStorageUrl } from '@minions/core/storage'
import { postgresStorage } from './postgres-storage.js'

/**
 * Creates the backend for `postgres://user:password@host:5432/database`. `?schema=`, `?poolSize=` and
 * `?preparedStatements=false` are our options; all others are passed to the driver.
 */
export const storageFromUrl = guarded('storageFromUrl', (url: string): StorageBackend => {
  const names = ['schema', 'poolSize', 'preparedStatements'] as const
  const { base, options, others } = takeStorageUrl(url, ['postgres', 'postgresql'], names)
  const { schema, poolSize, preparedStatements } = options
  return postgresStorage({
    connectionString: others.size > 0 ? `${base}?${others}` : base,
    ...(schema !== undefined && { schema }),
    ...(poolSize !== undefined && { poolSize: Number(poolSize) }),
    ...(preparedStatements !== undefined && { preparedStatements: preparedStatements !== 'false' }),
  })
})
