import { hidePassword, MinionsError, type StorageBackend } from '@minions/core'
import type { PostgresStorageOptions } from './options.js'
import { postgresStorage } from './postgres-storage.js'

/**
 * Makes the backend that `postgres://user:password@host:5432/database` names. `?schema=`, `?poolSize=` and
 * `?preparedStatements=false` are options of ours; all others are left to the driver.
 */
export function storageFromUrl(url: string): StorageBackend {
  const [, base, query = ''] = /^(postgres(?:ql)?:[^?]*)(?:\?(.*))?$/is.exec(url) ?? []
  if (base === undefined) {
    throw new MinionsError('VALIDATION_FAILED', `"${hidePassword(url)}" is not a postgres:// URL.`)
  }
  const parameters = new URLSearchParams(query)
  const take = (name: string) => {
    const value = parameters.get(name)
    parameters.delete(name)
    return value
  }
  const [schema, poolSize, prepared] = [take('schema'), take('poolSize'), take('preparedStatements')]
  const options: PostgresStorageOptions = {
    connectionString: parameters.size > 0 ? `${base}?${parameters}` : base,
    ...(schema !== null && { schema }),
    ...(poolSize !== null && { poolSize: Number(poolSize) }),
    ...(prepared !== null && { preparedStatements: prepared !== 'false' }),
  }
  return postgresStorage(options)
}
