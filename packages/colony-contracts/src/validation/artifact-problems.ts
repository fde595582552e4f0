import type { Issue } from '@minions/core/schema'
import type { ArtifactProblem, ArtifactProblemCode } from './problem.js'

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

/** Issues with the codes of this package: one for each location and code. */
export function artifactProblems(issues: readonly Issue[]): ArtifactProblem[] {
  const problems = new Map<string, ArtifactProblem>()
  for (const issue of issues) {
    const code = CODES.get(issue.code) ?? 'INVALID'
    const key = `${code} ${issue.pointer}`
    if (!problems.has(key)) problems.set(key, { ...issue, code })
  }
  return [...problems.values()]
}
