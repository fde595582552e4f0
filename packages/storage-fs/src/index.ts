export type { Detection } from './changes/change-source.js'
export type { FileFormat } from './codec/codec.js'
export { type FsStorageOptions, fsStorage } from './fs-storage.js'
export { storageFromUrl } from './url.js'
