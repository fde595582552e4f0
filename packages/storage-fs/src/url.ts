import { parseFileUrl, type StorageBackend } from '@minions/core'
import { fsStorage } from './fs-storage.js'

/** Makes the backend that `fs:./data` names; `?format=yaml` sets the format, `?detect=scan` how edits are found. */
export function storageFromUrl(url: string): StorageBackend {
  const { path: root = '', query } = parseFileUrl(url) ?? {}
  const parameters = new URLSearchParams(query)
  const [format, detect] = [parameters.get('format'), parameters.get('detect')]
  return fsStorage({
    root,
    ...(format !== null && { format: format as 'json' }),
    ...(detect !== null && { detect: detect as 'watch' }),
  })
}
