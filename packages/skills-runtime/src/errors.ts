import { defineErrors } from '@minions/core'

/** Every code this package throws or reports, with what it means. Codes that core has too mean the same there. */
export const SKILLS_ERROR_CODES = {
  VALIDATION_FAILED: 'A skill, parameter, step or message breaks a rule; `details.errors` lists all of them.',
  NOT_FOUND: 'No skill has this name or version, or no subagent has this id.',
  ALREADY_REGISTERED: 'A skill with this name and version is already in the registry.',
  REFERENCE_VIOLATION: 'A dependency is not registered, or a skill that others depend on was to be removed.',
  CYCLE: 'Skills depend on one another in a cycle; `details.path` shows it.',
  INVALID_SCHEMA: 'A JSON Schema cannot be used; `details.errors` says where and why.',
  SKILL_MISMATCH: 'Code for a stored skill has other schemas than the stored version; give it a new version.',
  UNRESOLVED_REFERENCE: 'A step refers to a value that is not there.',
  CONFLICT:
    'A subagent or job is not in a state that allows this, another has its id, or another process changed it first.',
  SKILL_NOT_BOUND: 'Only the record of a skill is known; register its code first.',
  SKILL_FAILED: 'A skill threw, or returned something that is not a valid JSON object; the cause is attached.',
  SKILL_TIMEOUT: 'A skill did not end within its timeout.',
  CANCELLED: 'The subagent was cancelled.',
  INTERRUPTED: 'The run was broken off by a shutdown; resume the subagent to continue from its last checkpoint.',
  LEASE_LOST: 'Another process took the subagent over, so nothing more can be committed here.',
  LIMIT_REACHED: 'As many subagents run as may, and the runtime was told not to queue.',
  QUEUE_FULL: 'As many subagents wait as may.',
  ISOLATION_MISSING: 'The runtime has nothing that can run skills of this isolation.',
  REQUEST_TIMEOUT: 'A request was not answered in time.',
  REQUEST_FAILED: 'A request was answered with an error, or could not be delivered; `details` says which.',
  RECEIVE_TIMEOUT: 'No message came in time.',
  WAIT_CYCLE: 'Agents wait for the responses of one another in a cycle; `details.path` shows it.',
  MAILBOX_FULL: 'A mailbox holds as many messages as it may.',
  CAPABILITY_MISSING: 'What was asked for needs something that was not configured.',
  WORKER_CRASHED: 'The worker thread of a skill died of an error that the skill did not catch.',
  WORKER_OUT_OF_MEMORY: 'A skill used more memory than its worker thread may.',
  WORKER_EXITED: 'A skill ended its worker thread, with process.exit() for example.',
  LOCK_INVALID: 'The file `skills.lock` of a folder is damaged.',
  RESOURCE_REFUSED: 'A file of a skill is too large, gone, or leads out of the folder of the skill.',
  CLOSED: 'The runtime was shut down.',
} as const satisfies Record<string, string>

export type SkillsErrorCode = keyof typeof SKILLS_ERROR_CODES

/** Creates errors with the codes of this package. */
export const skillsError = defineErrors(SKILLS_ERROR_CODES)
