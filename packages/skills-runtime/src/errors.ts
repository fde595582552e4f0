import { defineErrors } from '@minions/core'

/**
 * Every code that this package throws or reports, with its meaning. Codes shared with core have the same meaning there.
 */
export const SKILLS_ERROR_CODES = {
  VALIDATION_FAILED: 'A skill, parameter, step or message breaks a rule; `details.errors` lists all of them.',
  NOT_FOUND: 'No skill has this name or version, or no subagent has this id.',
  ALREADY_REGISTERED: 'A skill with this name and version is already in the registry.',
  REFERENCE_VIOLATION: 'A dependency is not registered, or a skill to be removed still has dependents.',
  CYCLE: 'Skills depend on each other in a cycle; `details.path` shows it.',
  INVALID_SCHEMA: 'A JSON Schema cannot be used; `details.errors` says where and why.',
  SKILL_MISMATCH: 'The schemas in the code of a skill differ from the stored version; give it a new version.',
  UNRESOLVED_REFERENCE: 'A step refers to a value that does not exist.',
  CONFLICT:
    'A subagent or job is not in a state that allows this, another has its id, or another process changed it first.',
  SKILL_NOT_BOUND: 'Only the record of a skill is known; register its code first.',
  SKILL_FAILED: 'A skill threw, or returned something that is not a valid JSON object; the cause is attached.',
  SKILL_TIMEOUT: 'A skill did not end within its timeout.',
  CANCELLED: 'The subagent was cancelled.',
  INTERRUPTED: 'The run was interrupted by a shutdown; resume the subagent to continue from its last checkpoint.',
  LEASE_LOST: 'Another process took over the subagent, so nothing more can be committed here.',
  LIMIT_REACHED: 'The maximum number of subagents is running, and the runtime is configured not to queue.',
  QUEUE_FULL: 'The maximum number of subagents is waiting.',
  ISOLATION_MISSING: 'The runtime has no runner for skills of this isolation.',
  REQUEST_TIMEOUT: 'A request was not answered in time.',
  REQUEST_FAILED: 'A request was answered with an error, or could not be delivered; `details` says which.',
  RECEIVE_TIMEOUT: 'No message arrived in time.',
  WAIT_CYCLE: "Agents wait for each other's responses in a cycle; `details.path` shows it.",
  MAILBOX_FULL: 'A mailbox is full.',
  CAPABILITY_MISSING: 'The request needs something that is not configured.',
  WORKER_CRASHED: 'The worker thread of a skill died of an uncaught error.',
  WORKER_OUT_OF_MEMORY: 'A skill exceeded the memory limit of its worker thread.',
  WORKER_EXITED: 'A skill ended its worker thread, with process.exit() for example.',
  LOCK_INVALID: 'The file `skills.lock` of a folder is malformed.',
  RESOURCE_REFUSED: 'A file of a skill is too large, missing, or outside the folder of the skill.',
  CLOSED: 'The runtime was shut down.',
}
export type SkillsErrorCode = keyof typeof SKILLS_ERROR_CODES

export const skillsError = defineErrors(SKILLS_ERROR_CODES)
