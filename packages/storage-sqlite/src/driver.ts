import { MinionsError, messageOf } from '@minions/core'
import type Database from 'better-sqlite3'

/** Opens a database. Throws `STORAGE_UNAVAILABLE` with the command to run when the driver itself cannot be loaded. */
export async function openDatabase(path: string, options: Database.Options): Promise<Database.Database> {
  const driver = await import('better-sqlite3').catch((cause: unknown) => {
    throw unusable('install it', 'npm install better-sqlite3', cause)
  })
  try {
    return new driver.default(path, options)
  } catch (error) {
    if (!isNotCompiled(error)) throw error
    throw unusable('build it for this system and version of Node.js', 'npm rebuild better-sqlite3', error)
  }
}

/** The native module is loaded with the first database: it is absent, or was compiled for another system. */
function isNotCompiled(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return (
    ('code' in error && error.code === 'ERR_DLOPEN_FAILED') || error.message.startsWith('Could not locate the bind')
  )
}

function unusable(what: string, command: string, cause: unknown): Error {
  const [reason = ''] = messageOf(cause).split('\n')
  return new MinionsError(
    'STORAGE_UNAVAILABLE',
    `better-sqlite3, the driver of SQLite stores, cannot be loaded (${reason.replace(/\.$/, '')}); ${what}: ${command}`,
    { details: { package: 'better-sqlite3', command }, cause },
  )
}
