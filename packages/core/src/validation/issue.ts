import { guarded } from '../errors/guard.js'
/** One broken rule in a value, a record, or a schema itself. */
export interface Issue {
  /** JSON Pointer (RFC 6901) to the value; that of a missing or unknown property ends in its name. */
  readonly pointer: string
  /** Keyword that the value breaks, such as `required` or `minLength`; `VALIDATION_CODES` has the codes of fields. */
  readonly code: string
  /** Continues the name of the value: "must be a string". */
  readonly message: string
  /** Value of the keyword: the type, the limit, the list of choices. */
  readonly expected?: unknown
  /** The value that was found, if it is a short scalar. */
  readonly received?: unknown
}

/** A longer list helps no one, and hostile input must not exhaust the memory. */
export const MAX_ISSUES = 1000

/** Joins issues in one clause; `whole` names the value itself. */
export const describeIssues = guarded('describeIssues', describeIssuesUnchecked)

function describeIssuesUnchecked(issues: readonly Issue[], whole = 'the value'): string {
  return issues.map(({ pointer, message }) => `${pointer || whole} ${message}`).join('; ')
}

/** True for values that an issue quotes: scalars only, so that a list stays small and serialises to JSON. */
export const isShort = guarded('isShort', isShortUnchecked)

function isShortUnchecked(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 200 && value.isWellFormed()
  return typeof value === 'boolean' || value === null || Number.isFinite(value)
}
