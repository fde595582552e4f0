import { defineErrors, isMinionsError, type MinionsError } from '@minions/core'
import { systemCode } from '@minions/files'

/** Every code this package throws, with its meaning. */
export const WORKSPACE_ERROR_CODES = {
  VALIDATION_FAILED: 'A value breaks a rule; `details.pointer` or `details.errors` says which.',
  NOT_FOUND: 'No workspace, skill, session or file has this name.',
  CONFLICT: 'A session with this id already exists.',
  CAPABILITY_MISSING: 'Files cannot take part in a transaction.',
  AMBIGUOUS_REFERENCE: 'Several workspaces match; `details.matches` lists them.',
  PATH_REFUSED: 'A path leaves its folder or cannot be used on every system; `details.reason` says why.',
  STORAGE_BUSY: 'Another process held the lock for too long; try again.',
  STORAGE_UNAVAILABLE: 'A file or folder cannot be read or written; `cause` is the error of the system.',
  ACTION_FAILED: 'A handler threw while actions ran; `details.completed` lists what had run before it.',
  ACTION_LOOP: 'Actions kept triggering one another; handlers add rules or run actions without end.',
  NO_CONTEXT: 'An agent was run before it was given a workspace.',
  MODEL_FAILED: 'The model threw or returned something that is not a string; `cause` is its error.',
  ABORTED: 'The caller cancelled the run.',
}
export type WorkspaceErrorCode = keyof typeof WORKSPACE_ERROR_CODES

export const workspaceError = defineErrors(WORKSPACE_ERROR_CODES)

/** Runs work on a path. What the file system throws becomes `STORAGE_UNAVAILABLE`. */
export async function accessing<T>(what: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(what, path, error)
  }
}

/** Wraps an error of the file system, so that callers need not know its codes. Our own errors are unchanged. */
export function unavailable(what: string, path: string, cause: unknown): MinionsError {
  if (isMinionsError(cause)) return cause
  const code = systemCode(cause)
  return workspaceError('STORAGE_UNAVAILABLE', `${what} failed for ${path} (${code ?? String(cause)}).`, {
    details: { path, system: code ?? '' },
    cause,
  })
}
