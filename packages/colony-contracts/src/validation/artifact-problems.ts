import type { Issue } from '@minions/core/schema'
import { type ArtifactProblem, type ArtifactProblemCode, problem } from './problem.js'

const CODES: ReadonlyMap<string, ArtifactProblemCode> = new Map([
  ['required', 'REQUIRED'],
  ['dependentRequired', 'REQUIRED'],
  ['type', 'TYPE'],
  ['enum', 'NOT_ALLOWED'],
  ['const', 'NOT_ALLOWED'],
  ['pattern', 'PATTERN'],
  ['not', 'PATTERN'],
  ['format', 'PATTERN'],
  ['minLength', 'LENGTH'],
  ['maxLength', 'LENGTH'],
  ['minItems', 'LENGTH'],
  ['maxItems', 'LENGTH'],
  ['minimum', 'RANGE'],
  ['maximum', 'RANGE'],
  ['exclusiveMinimum', 'RANGE'],
  ['exclusiveMaximum', 'RANGE'],
])

/** Converts issues to the form of this package: one for each location and code. */
export function artifactProblems(issues: readonly Issue[]): ArtifactProblem[] {
  const problems = new Map<string, ArtifactProblem>()
  for (const { pointer, code: keyword, message } of issues) {
    const code = CODES.get(keyword) ?? 'INVALID'
    const key = `${code} ${pointer}`
    if (!problems.has(key)) problems.set(key, problem(pointer, code, message))
  }
  return [...problems.values()]
}
