import { guarded } from '@minions/core/plugin'
import { type StorageBackend, takeStorageUrl } from '@minions/core/storage'
import { type Synchronous, sqliteStorage } from './sqlite-storage.js'

/** Creates the backend for `sqlite:./minions.db` or `sqlite::memory:`; `?synchronous=normal` sets the option. */
export const storageFromUrl = guarded('storageFromUrl', (url: string): StorageBackend => {
  const { path = '', options } = takeStorageUrl(url, ['sqlite'], ['synchronous'])
  const { synchronous } = options
  return sqliteStorage({ path, ...(synchronous !== undefined && { synchronous: synchronous as Synchronous }) })
})
