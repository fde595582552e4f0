import { coreError } from '@minions/core'
import { instantOf } from '../mission/time.js'
import type { PolicyDecision } from '../schemas/policy-decision.js'
import type { TaskPolicy } from './task-policy.js'

/** The producer of decisions that only record a verdict. They are not grounds for the next verdict. */
export const POLICY_GATE_PRODUCER = 'policy_gate'

/**
 * The latest decision on a request of a task, or `undefined`. Of two with the same time the one that denies wins. A decision that
 * names a task applies only to that task; verdicts recorded by the gate itself are left out.
 */
export function latestDecision(
  { envelope, task, decisions }: TaskPolicy,
  type: string,
  subject: string,
): PolicyDecision | undefined {
  const { mission_id } = envelope
  let latest: PolicyDecision | undefined
  if (!Array.isArray(decisions)) throw coreError('VALIDATION_FAILED', 'The decisions of a policy must be a list.')
  for (const decision of decisions) {
    if (decision.mission_id !== mission_id || decision.decision_type !== type || decision.subject !== subject) continue
    if (decision.task_id !== undefined && decision.task_id !== task.task_id) continue
    if (decision.producer === POLICY_GATE_PRODUCER) continue
    const later = latest ? instantOf(decision.created_at) - instantOf(latest.created_at) : 1
    if (later > 0 || (later === 0 && decision.decision === 'deny')) latest = decision
  }
  return latest
}
