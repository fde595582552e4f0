import { isMinionsError } from '@minions/core'

/** Something that is wrong with a document: where (a JSON Pointer, in a bundle that of its line), a code, and what. */
export interface DocumentProblem {
  readonly line?: number
  readonly pointer: string
  readonly code: string
  readonly message: string
}

/** The same problems for a value located at `pointer`. */
export function below(pointer: string, problems: readonly DocumentProblem[]): DocumentProblem[] {
  return problems.map(({ line, pointer: own, code, message }) => ({
    ...(line !== undefined && { line }),
    pointer: pointer + own,
    code,
    message,
  }))
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
  const { errors } = error.details as { errors?: readonly { pointer?: string; message: string }[] }
  if (!errors?.length) return [{ pointer: '', code: error.code, message: error.message }]
  return errors.map(({ pointer = '', message }) => ({ pointer, code: 'INVALID', message }))
}
