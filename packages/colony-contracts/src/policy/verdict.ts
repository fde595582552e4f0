import { quote } from '@minions/core'
import type { PolicyDecision } from '../schemas/policy-decision.js'

/** Reasons for verdicts, with their meaning. */
export const VERDICT_CODES = {
  ALLOWED: 'Everything required allows it.',
  DENIED_BY_DECISION: 'A policy decision denies it.',
  SENSITIVITY: "The mission's sensitivity class excludes it.",
  NOT_IN_TASK: 'The task does not list it.',
  NOT_IN_SCOPE: 'No prompt package of the task includes it.',
  NOT_IN_SKILL: 'The skill that the task uses does not request it.',
  NO_PASS: 'The task has no librarian pass.',
  PASS_EXPIRED: 'Every librarian pass of the task has expired.',
  NOT_GRANTED: 'Nothing grants it, and anything not granted is denied.',
  NO_APPROVAL: 'No policy decision allows the writeback.',
}
export type VerdictCode = keyof typeof VERDICT_CODES

/** The verdict on a policy request; `reason` is a sentence suitable for a policy decision. */
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

export function allowedBy({ decision_id, subject, reason }: PolicyDecision): Verdict {
  return allow(`decision ${decision_id} allows ${quote(subject)}: ${reason}`)
}

export function deniedBy({ decision_id, subject, reason }: PolicyDecision): Verdict {
  return deny('DENIED_BY_DECISION', `decision ${decision_id} denies ${quote(subject)}: ${reason}`)
}

/** The remedy for each refusal, as a sentence. */
export const CURES: Readonly<Record<VerdictCode, string>> = {
  ALLOWED: '',
  DENIED_BY_DECISION: 'Record a later policy_decision that allows it.',
  SENSITIVITY: 'Add it to `toolsBySensitivity` of the policy, or use another sensitivity_class for the mission.',
  NOT_IN_TASK: 'Let the planner add it to the allowed_tools of the task.',
  NOT_IN_SCOPE: 'Let the prompt master add it to the tool_scope of the prompt package of the task.',
  NOT_IN_SKILL: 'Add it to the allowed-tools of the skill.',
  NO_PASS: 'Let a librarian give the task a pass, or set `requirePass` of the policy to false.',
  PASS_EXPIRED: 'Let a librarian give the task a new pass with a later expires_at.',
  NOT_GRANTED:
    'Grant it with a prompt package or a librarian pass for the task, or with a policy_decision that allows it.',
  NO_APPROVAL: 'Approve it with `proposals.approve`, or add a rule to the policy that requires approval for it.',
}
