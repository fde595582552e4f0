import { isMinionsError, MinionsError } from '@minions/core'

/** SQLite's message when another process has upgraded the collection: the revision column carries its version. */
const UPGRADED = /no (such )?column:? .*_revision_v|has no column named _revision_v/

/** Meanings of SQLite error codes, by prefix. */
const CODES: readonly (readonly [RegExp, string, string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, 'STORAGE_CORRUPT', 'is damaged or not a SQLite database; restore a backup'],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, 'STORAGE_BUSY', 'is being written by another process; try again'],
  [/^SQLITE_FULL/, 'STORAGE_UNAVAILABLE', 'cannot grow because the disk is full; free some space and try again'],
  [/^SQLITE_READONLY/, 'STORAGE_UNAVAILABLE', 'cannot be written; check the permissions of the file and its folder'],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)/, 'STORAGE_UNAVAILABLE', 'cannot be opened; check the path and its permissions'],
  [/^SQLITE_TOOBIG/, 'VALIDATION_FAILED', 'cannot hold a value this large'],
]

/** The same failure as a `MinionsError`, with the driver's own as its cause. */
export function translate(error: unknown, path: string): unknown {
  if (isMinionsError(error)) return error
  const code = sqliteCode(error)
  if (code === undefined) return error
  if (UPGRADED.test((error as Error).message)) {
    return new MinionsError(
      'STORAGE_VERSION',
      `The SQLite store "${path}" was upgraded by another version of the program; restart this one in that version.`,
      { cause: error, details: { path, sqlite: code } },
    )
  }
  const [, ours, meaning] = CODES.find(([pattern]) => pattern.test(code)) ?? [
    null,
    'STORAGE_UNAVAILABLE',
    'failed to execute a statement',
  ]
  return new MinionsError(ours, `The SQLite store "${path}" ${meaning} (${code}).`, {
    cause: error,
    details: { path, sqlite: code },
  })
}

/** The code of an error of SQLite, such as `SQLITE_BUSY_SNAPSHOT`. */
export function sqliteCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined
}

/** The doc column of a row is not what was written. */
export function damagedRow(path: string, collection: string, key: string | undefined, cause: unknown): Error {
  const what = key === undefined ? 'A record' : `"${key}"`
  return new MinionsError('STORAGE_CORRUPT', `${what} of "${collection}" in "${path}" is damaged; restore a backup.`, {
    cause,
    details: { path, collection, key: key ?? null },
  })
}
