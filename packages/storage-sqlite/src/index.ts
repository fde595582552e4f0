export { type BackupOptions, backupSqlite } from './backup.js'
export { type SqliteStorageOptions, sqliteStorage } from './sqlite-storage.js'
export type { Synchronous } from './synchronous.js'
export { storageFromUrl } from './url.js'
