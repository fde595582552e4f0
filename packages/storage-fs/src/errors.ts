import { type CoreErrorCode, isMinionsError, MinionsError } from '@minions/core'

/** What the system's codes mean in ours. */
const CODES: Readonly<Record<string, readonly [CoreErrorCode, string]>> = {
  ENOSPC: ['STORAGE_UNAVAILABLE', 'cannot grow because the disk is full; make room and try again'],
  EDQUOT: ['STORAGE_UNAVAILABLE', 'cannot grow because its quota is used up; make room and try again'],
  EFBIG: ['STORAGE_UNAVAILABLE', 'cannot hold a file this large'],
  EROFS: ['STORAGE_UNAVAILABLE', 'cannot be written; its file system is read-only'],
  EACCES: ['STORAGE_UNAVAILABLE', 'cannot be used; check the permissions of the folder'],
  EPERM: ['STORAGE_UNAVAILABLE', 'cannot be used; check the permissions of the folder'],
  EMFILE: ['STORAGE_UNAVAILABLE', 'cannot be used; this process has too many open files'],
  ENOTDIR: ['STORAGE_UNAVAILABLE', 'cannot be used; a file stands where a folder should be'],
  EEXIST: ['STORAGE_UNAVAILABLE', 'cannot be used; a file stands where a folder should be'],
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

/** The code of a system error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Whether an error says that this process may not write. */
export function isReadOnly(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')
}

export function corrupt(root: string, message: string, cause?: unknown): Error {
  return new MinionsError('STORAGE_CORRUPT', `The file store "${root}" is damaged: ${message}`, {
    details: { root },
    ...(cause !== undefined && { cause }),
  })
}
