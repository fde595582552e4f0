import { MinionsError } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import type Database from 'better-sqlite3'
import { openDatabase } from './driver.js'
import { translate } from './errors.js'

export interface BackupOptions {
  /** The database file to copy; it may be open and written to meanwhile. */
  readonly from: string
  /** The target file. An existing one is replaced only once the copy is complete. */
  readonly to: string
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** Copies a store while it is in use. The copy is a complete and consistent snapshot. */
export const backupSqlite = guarded('backupSqlite', async ({ from, to, onProgress }: BackupOptions): Promise<void> => {
  if (from === ':memory:') throw new MinionsError('VALIDATION_FAILED', 'A store in memory has no file to copy.')
  let database: Database.Database | undefined
  try {
    database = await openDatabase(from, { readonly: true, fileMustExist: true })
    await database.backup(to, {
      progress({ totalPages, remainingPages }) {
        onProgress?.({ done: totalPages - remainingPages, total: totalPages })
        return 1000
      },
    })
  } catch (error) {
    throw translate(error, from)
  } finally {
    database?.close()
  }
})
