import { isRecord } from '../json/is-record.js'
import { extensionPoint } from '../plugin/extension-point.js'
import type { StorageFactory } from './schemes.js'

/** A backend that a plugin brings along, by the scheme of its URLs. */
export interface StorageScheme {
  /** In lower case, without its colon: `mariadb`. */
  readonly scheme: string
  /** Makes the backend of a URL; nothing is opened yet. */
  readonly create: StorageFactory
}

/** Storage schemes of plugins: what they contribute here can be named in a URL wherever one is configured. */
export const storageSchemes = extensionPoint<StorageScheme>('@minions/core/storage-schemes', {
  key: ({ scheme }) => scheme,
  check: (value) => {
    if (!isRecord(value) || typeof value.scheme !== 'string' || !/^[a-z][a-z0-9+.-]*$/.test(value.scheme)) {
      return 'its `scheme` must be that of a URL, in lower case and without a colon'
    }
    return typeof value.create === 'function' ? undefined : 'its `create` must make a backend of a URL'
  },
})
