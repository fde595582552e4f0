import { isRecord } from '../json/is-record.js'
import { extensionPoint } from '../plugin/extension-point.js'
import type { StorageFactory } from './schemes.js'

/** A backend contributed by a plugin, by its URL scheme. */
export interface StorageScheme {
  /** In lower case, without its colon: `mariadb`. */
  readonly scheme: string
  /** Creates the backend for a URL without opening it. */
  readonly create: StorageFactory
}

/** Storage schemes of plugins: contributed schemes can be used wherever a storage URL is configured. */
export const storageSchemes = extensionPoint<StorageScheme>('@minions/core/storage-schemes', {
  key: ({ scheme }) => scheme,
  check: (value) => {
    if (!isRecord(value) || typeof value.scheme !== 'string' || !/^[a-z][a-z0-9+.-]*$/.test(value.scheme)) {
      return 'its `scheme` must be a URL scheme, in lower case and without a colon'
    }
    return typeof value.create === 'function'
      ? undefined
      : 'its `create` must be a function that creates a backend from a URL'
  },
})
