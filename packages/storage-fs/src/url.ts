import { guarded } from '@minions/core/plugin'
import { type StorageBackend, takeStorageUrl } from '@minions/core/storage'
import type { Detection } from './changes/change-source.js'
import type { FileFormat } from './codec/codec.js'
import { fsStorage } from './fs-storage.js'

/** Creates the backend for `fs:./data`; `?format=yaml` sets the format, `?detect=scan` how edits are detected. */
export const storageFromUrl = guarded('storageFromUrl', (url: string): StorageBackend => {
  const { path: root = '', options } = takeStorageUrl(url, ['fs'], ['format', 'detect'])
  return fsStorage({
    root,
    ...(options.format !== undefined && { format: options.format as FileFormat }),
    ...(options.detect !== undefined && { detect: options.detect as Detection }),
  })
})
