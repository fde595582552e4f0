import { isMinionsError } from '@minions/core'
import type { Issue } from '@minions/core/schema'

/** Something that is wrong with a document; in a bundle, with the document in a line of it. */
export interface DocumentProblem extends Issue {
  readonly line?: number
}

/** The problems that a check throws; an error that lists several yields each of them. */
export function thrownProblems(check: () => unknown): DocumentProblem[] {
  try {
    check()
    return []
  } catch (error) {
    return problemsOf(error)
  }
}

/** The problems that an error lists in `details.errors`, or itself as one. Throws what is not a `MinionsError`. */
export function problemsOf(error: unknown): DocumentProblem[] {
  if (!isMinionsError(error)) throw error
  const { errors = [] } = error.details as { errors?: readonly Issue[] }
  if (errors.length === 0) return [{ pointer: '', code: error.code, message: error.message }]
  // Errors of fields have no pointer.
  return errors.map((issue) => ({ ...issue, pointer: issue.pointer ?? '' }))
}
