import type { StorageBackend } from '@minions/core'
import { sqliteStorage } from './sqlite-storage.js'

/** Makes the backend that `sqlite:./minions.db` or `sqlite::memory:` names; `?synchronous=normal` sets the option. */
export function storageFromUrl(url: string): StorageBackend {
  const [, path = '', query] = /^sqlite:(?:\/\/(?=\/))?([^?]*)(?:\?(.*))?$/i.exec(url) ?? []
  const synchronous = new URLSearchParams(query).get('synchronous')
  return sqliteStorage({
    path: path === '' ? 'minions.db' : decodeURI(path),
    ...(synchronous !== null && { synchronous: synchronous as 'full' }),
  })
}
