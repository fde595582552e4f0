import type { ArtifactProblem } from './problem.js'

/** A valid artifact, which is the value itself if it was plain JSON, or every problem. */
export type ValidationResult<T> =
  | { readonly valid: true; readonly artifact: T; readonly errors: readonly [] }
  | { readonly valid: false; readonly artifact?: undefined; readonly errors: readonly ArtifactProblem[] }

const noErrors: readonly [] = Object.freeze([])

export function accepted<T>(artifact: T): ValidationResult<T> {
  return { valid: true, artifact, errors: noErrors }
}

export function refused(errors: readonly ArtifactProblem[]): ValidationResult<never> {
  return { valid: false, errors }
}
