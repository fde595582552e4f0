/** Why a question was answered as it was, with what it means. */
export const VERDICT_CODES = {
  ALLOWED: 'Everything that is asked for allows it.',
  DENIED_BY_DECISION: 'A policy decision denies it.',
  SENSITIVITY: "The mission's sensitivity class excludes it.",
  NOT_IN_TASK: 'The task does not list it.',
  NOT_IN_SCOPE: 'No prompt package of the task includes it.',
  NO_PASS: 'The task has no librarian pass.',
  PASS_EXPIRED: 'Every librarian pass of the task has expired.',
  NOT_GRANTED: 'Nothing grants it, and what is not granted is denied.',
  NO_APPROVAL: 'No policy decision allows the writeback.',
} as const satisfies Record<string, string>

export type VerdictCode = keyof typeof VERDICT_CODES

/** The answer to a policy question; `reason` is a sentence fit for a policy decision. */
export interface Verdict {
  readonly allowed: boolean
  readonly code: VerdictCode
  readonly reason: string
}

export function allow(reason: string): Verdict {
  return { allowed: true, code: 'ALLOWED', reason }
}

export function deny(code: Exclude<VerdictCode, 'ALLOWED'>, reason: string): Verdict {
  return { allowed: false, code, reason }
}
