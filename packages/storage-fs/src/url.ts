import { MinionsError, type StorageBackend } from '@minions/core'
import { fsStorage } from './fs-storage.js'

/** Makes the backend that `fs:./data` names; `?format=yaml` sets the format, `?detect=scan` how edits are found. */
export function storageFromUrl(url: string): StorageBackend {
  const [, path = '', query] = /^fs:(?:\/\/(?=\/))?([^?]*)(?:\?(.*))?$/i.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const [format, detect] = [parameters.get('format'), parameters.get('detect')]
  return fsStorage({
    root: path === '' ? 'minions' : decode(path),
    ...(format !== null && { format: format as 'json' }),
    ...(detect !== null && { detect: detect as 'watch' }),
  })
}

/** A `%` that stands for itself is written as `%25`. */
function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch (cause) {
    throw new MinionsError('VALIDATION_FAILED', `The path "${path}" is no part of a URL; write "%" in it as "%25".`, {
      cause,
    })
  }
}
