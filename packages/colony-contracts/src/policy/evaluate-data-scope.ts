import { quote } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { DECISION_TYPES } from '../schemas/policy-decision.js'
import { latestDecision } from './latest-decision.js'
import { ofTask, type TaskPolicy, validPasses } from './task-policy.js'
import { allow, allowedBy, deniedBy, deny, type Verdict } from './verdict.js'

/**
 * Checks whether a task may currently read a data scope, or resource family. A grant is a valid librarian pass that
 * lists it or, for a scope the task declares as required, a decision that allows it. A decision that denies always
 * takes precedence.
 */
export const evaluateDataScope = guarded('evaluateDataScope', (policy: TaskPolicy, scope: string): Verdict => {
  const { task } = policy
  const who = `task ${quote(task.task_id)}`
  const what = quote(scope)
  const decision = latestDecision(policy, DECISION_TYPES.data, scope)
  if (decision?.decision === 'deny') return deniedBy(decision)
  const lists = ({ allowed_resource_families }: { allowed_resource_families: readonly string[] }) =>
    allowed_resource_families.includes(scope)
  const pass = validPasses(policy).find(lists)
  if (pass) return allow(`librarian pass ${pass.pass_id} of ${who} lists ${what}`)
  if (decision && task.required_data_scopes.includes(scope)) return allowedBy(decision)
  if (ofTask(policy.passes, policy).some(lists))
    return deny('PASS_EXPIRED', `every librarian pass of ${who} that lists ${what} has expired`)
  return deny('NOT_GRANTED', `neither a librarian pass nor a decision grants ${what} to ${who}`)
})
