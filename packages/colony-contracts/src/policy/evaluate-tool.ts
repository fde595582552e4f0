import { quote } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { DECISION_TYPES } from '../schemas/policy-decision.js'
import { latestDecision } from './latest-decision.js'
import { ofTask, type TaskPolicy, validPasses } from './task-policy.js'
import { allow, allowedBy, deniedBy, deny, type Verdict } from './verdict.js'

/**
 * Checks whether a task may currently use a tool. `allowed_tools` is an upper limit and grants nothing; grants come
 * from the `tool_scope` of a prompt package or, for a task without one, from a decision that allows it. A sensitivity
 * class that excludes the tool, a skill in use that does not request it, a decision that denies it, and passes that
 * have all expired each deny; no decision widens a scope.
 */
export const evaluateTool = guarded('evaluateTool', (policy: TaskPolicy, tool: string): Verdict => {
  const { envelope, task, config = {} } = policy
  const who = `task ${quote(task.task_id)}`
  const what = quote(tool)
  const permitted = toolsOf(config.toolsBySensitivity, envelope.sensitivity_class)
  if (permitted && !permitted.includes(tool))
    return deny('SENSITIVITY', `missions of class ${quote(envelope.sensitivity_class)} may not use ${what}`)
  const { skillTools } = policy
  if (skillTools && !skillTools.some((entry) => nameOfTool(entry) === tool))
    return deny('NOT_IN_SKILL', `${what} is not among the allowed tools of the skill that ${who} uses`)
  if (!task.allowed_tools.includes(tool)) return deny('NOT_IN_TASK', `${what} is not among the allowed_tools of ${who}`)

  const packages = ofTask(policy.packages, policy)
  if (packages.length > 0 && !packages.some(({ tool_scope }) => tool_scope.includes(tool)))
    return deny('NOT_IN_SCOPE', `${what} is not in the tool_scope of any prompt package of ${who}`)

  const decision = latestDecision(policy, DECISION_TYPES.tool, tool)
  if (decision?.decision === 'deny') return deniedBy(decision)

  const hasPass = ofTask(policy.passes, policy).length > 0
  if (!hasPass && config.requirePass) return deny('NO_PASS', `${who} has no librarian pass`)
  if (hasPass && validPasses(policy).length === 0)
    return deny('PASS_EXPIRED', `every librarian pass of ${who} has expired`)

  if (packages.length > 0) return allow(`${what} is in the tool_scope of ${who}`)
  if (decision) return allowedBy(decision)
  return deny('NOT_GRANTED', `neither a prompt package nor a decision grants ${what} to ${who}`)
})

/** A skill may restrict a tool to some arguments, as in `Bash(git:*)`; the tool itself must enforce them. */
function nameOfTool(entry: string): string {
  return entry.split('(', 1)[0] ?? entry
}

function toolsOf(tools: Readonly<Record<string, readonly string[]>> | undefined, sensitivity: string) {
  return tools && Object.hasOwn(tools, sensitivity) ? tools[sensitivity] : undefined
}
