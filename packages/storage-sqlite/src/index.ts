export { type BackupOptions, backupSqlite } from './backup.js'
export { type SqliteStorageOptions, type Synchronous, sqliteStorage } from './sqlite-storage.js'
export { storageFromUrl } from './url.js'
