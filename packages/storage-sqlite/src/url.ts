import { parseFileUrl, type StorageBackend } from '@minions/core'
import { sqliteStorage } from './sqlite-storage.js'

/** Makes the backend that `sqlite:./minions.db` or `sqlite::memory:` names; `?synchronous=normal` sets the option. */
export function storageFromUrl(url: string): StorageBackend {
  const { path = '', query } = parseFileUrl(url) ?? {}
  const synchronous = new URLSearchParams(query).get('synchronous')
  return sqliteStorage({ path, ...(synchronous !== null && { synchronous: synchronous as 'full' }) })
}
