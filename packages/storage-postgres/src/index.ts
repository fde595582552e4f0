export type { PostgresStorageOptions } from './options.js'
export { postgresStorage } from './postgres-storage.js'
export { storageFromUrl } from './url.js'
