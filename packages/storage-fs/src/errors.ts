import { type CoreErrorCode, isMinionsError, MinionsError } from '@minions/core'
import { isSystemError, systemCode } from '@minions/files'

/** Meanings of system error codes. */
const CODES: Readonly<Record<string, readonly [CoreErrorCode, string]>> = {
  ENOSPC: ['STORAGE_UNAVAILABLE', 'cannot grow because the disk is full; free some space and try again'],
  EDQUOT: ['STORAGE_UNAVAILABLE', 'cannot grow because its quota is used up; free some space and try again'],
  EFBIG: ['STORAGE_UNAVAILABLE', 'cannot hold a file this large'],
  EROFS: ['STORAGE_UNAVAILABLE', 'cannot be written; its file system is read-only'],
  EACCES: ['STORAGE_UNAVAILABLE', 'cannot be used; check the permissions of the folder'],
  EPERM: ['STORAGE_UNAVAILABLE', 'cannot be used; check the permissions of the folder'],
  EMFILE: ['STORAGE_UNAVAILABLE', 'cannot be used; this process has too many open files'],
  ENOTDIR: ['STORAGE_UNAVAILABLE', 'cannot be used; there is a file where a folder should be'],
  EEXIST: ['STORAGE_UNAVAILABLE', 'cannot be used; there is a file where a folder should be'],
  EIO: ['STORAGE_UNAVAILABLE', 'cannot be read or written; the disk reports an error'],
}

/** The same failure as a `MinionsError`, with the system's own as its cause. Other errors are passed on. */
export function translate(error: unknown, root: string): unknown {
  const code = systemCode(error)
  if (isMinionsError(error) || code === undefined) return error
  const [ours, meaning] = CODES[code] ?? ['STORAGE_UNAVAILABLE', 'cannot be read or written']
  return new MinionsError(ours, `The file store "${root}" ${meaning} (${code}).`, {
    cause: error,
    details: { root, system: code },
  })
}

/** True if an error says that this process may not write. */
export function isReadOnly(error: unknown): boolean {
  return isSystemError(error, 'EACCES', 'EPERM', 'EROFS')
}

export function corrupt(root: string, message: string, cause?: unknown): Error {
  return new MinionsError('STORAGE_CORRUPT', `The file store "${root}" is damaged: ${message}`, {
    details: { root },
    ...(cause !== undefined && { cause }),
  })
}
