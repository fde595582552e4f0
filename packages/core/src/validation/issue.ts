import { type Static, Type } from 'typebox'
import { guarded } from '../errors/guard.js'

/** One broken rule in a value, a record, or a schema itself: the one format of problems in all packages. */
export const IssueSchema = Type.Object({
  pointer: Type.String({
    description:
      'JSON Pointer (RFC 6901) to the value; that of a missing or unknown property ends in its name, that of the whole is empty.',
  }),
  code: Type.String({ description: 'The broken rule, such as `required` or `minLength`.' }),
  message: Type.String({ description: 'Continues the name of the value: "must be a string".' }),
  expected: Type.Optional(Type.Unknown({ description: 'What the rule asks for: the type, the limit, the choices.' })),
  received: Type.Optional(Type.Unknown({ description: 'The value that was found, if it is a short scalar.' })),
})

/** One broken rule; an area narrows `Code` to its own codes. */
export type Issue<Code extends string = string> = Readonly<Static<typeof IssueSchema>> & { readonly code: Code }

/** A longer list helps no one, and hostile input must not exhaust the memory. */
export const MAX_ISSUES = 1000

/** Creates an issue; `received` is left out unless it is a short scalar. */
export const issueAt = guarded('issueAt', issueAtUnchecked, { anyLength: true })

function issueAtUnchecked<Code extends string>(
  pointer: string,
  code: Code,
  message: string,
  received?: unknown,
): Issue<Code> {
  return { pointer, code, message, ...(isShort(received) && { received }) }
}

/** The issues of a value as those of the one that has it at `pointer`. */
export const issuesBelow = guarded('issuesBelow', <I extends Issue>(pointer: string, issues: readonly I[]): I[] =>
  issues.map((issue) => ({ ...issue, pointer: pointer + issue.pointer })),
)

/** Joins issues in one clause, at most `most` of them, by default all; `whole` names the value itself. */
export const describeIssues = guarded('describeIssues', describeIssuesUnchecked)

function describeIssuesUnchecked(issues: readonly Issue[], whole = 'the value', most = issues.length): string {
  const clauses = issues.slice(0, most).map(({ pointer, message }) => `${pointer || whole} ${message}`)
  return issues.length > most ? `${clauses.join('; ')} (and ${issues.length - most} more)` : clauses.join('; ')
}

/** True for values that an issue quotes: scalars only, so that a list stays small and serialises to JSON. */
export const isShort = guarded('isShort', (value: unknown): boolean => {
  if (typeof value === 'string') return value.length <= 200 && value.isWellFormed()
  return typeof value === 'boolean' || value === null || Number.isFinite(value)
})
