import { CANONICAL_TIMESTAMP_PATTERN, pointerTo, TIMESTAMP_RULE } from '@minions/core'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { type ArtifactProblem, type ArtifactProblemCode, problem } from './problem.js'

const codes: ReadonlyMap<string, ArtifactProblemCode> = new Map([
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

/**
 * Turns the validator's errors into ours: one per place and code, the pointer of a missing property with its name. A
 * value of the wrong type has that one problem, whatever else cannot be said of it.
 */
export function schemaProblems(errors: readonly ErrorObject[]): ArtifactProblem[] {
  const problems = new Map<string, ArtifactProblem>()
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath))
  for (const error of errors) {
    // `if` only says that `then` failed, whose own error is in the list.
    if (error.keyword === 'if') continue
    const code = codes.get(error.keyword) ?? 'INVALID'
    const pointer = pointerOf(error)
    if (code !== 'TYPE' && mistyped.has(pointer)) continue
    const key = `${code} ${pointer}`
    if (!problems.has(key)) problems.set(key, problem(pointer, code, messageOf(error)))
  }
  return [...problems.values()]
}

function pointerOf({ instancePath, params }: ErrorObject): string {
  const missing: unknown = params.missingProperty
  return typeof missing === 'string' ? pointerTo(instancePath, missing) : instancePath
}

function messageOf({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  if (keyword === 'pattern' && params.pattern === CANONICAL_TIMESTAMP_PATTERN) return TIMESTAMP_RULE
  if (keyword === 'not') return 'must not have a line feed'
  return message
}
