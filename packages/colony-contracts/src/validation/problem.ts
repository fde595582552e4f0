import type { Issue } from '@minions/core/schema'

/** Every problem code of an artifact, a graph or a mission, with its meaning. */
export const ARTIFACT_PROBLEM_CODES = {
  BAD_JSON: 'The text is not JSON.',
  NOT_STORABLE:
    'The value is not JSON, or holds something no store can keep: U+0000, a lone surrogate, too many levels.',
  UNKNOWN_SCHEMA: 'No contract has this schema_name.',
  UNKNOWN_VERSION: 'The contract has no such schema_version.',
  REQUIRED: 'A required property is missing.',
  TYPE: 'A value has the wrong JSON type.',
  NOT_ALLOWED: 'A value is not one of the closed set of its field.',
  PATTERN: 'A string does not have the form of its field: an id, a UUID, a timestamp, a version.',
  LENGTH: 'A string, list or object is too short or too long.',
  RANGE: 'A number is too small or too large.',
  EXPIRED_WHEN_CREATED: 'A librarian pass expires before it is created, or at that moment.',
  INVALID: 'A value violates another rule of its schema.',
  DUPLICATE_TASK: 'Two tasks of one graph have the same task_id.',
  UNKNOWN_DEPENDENCY: 'A task depends on one that the graph does not have.',
  SELF_DEPENDENCY: 'A task depends on itself.',
  CYCLE: 'Tasks depend on one another in a cycle.',
  NO_ENVELOPE: 'The mission has no envelope.',
  SECOND_ENVELOPE: 'The mission has more than one envelope.',
  ORPHAN: 'The artifact belongs to a mission whose envelope is missing.',
  TENANT_MISMATCH: "The tenant differs from the envelope's.",
  ACTOR_MISMATCH: "The actor differs from the envelope's.",
  ID_CONFLICT: 'Two artifacts of one kind have the same id and different content.',
  UNKNOWN_TASK: 'The task is in no graph of the mission.',
  ROLE_MISMATCH: "The prompt package's role is not its task's.",
  SCOPE_EXCEEDED: 'The prompt package requests a tool that its task may not use.',
  UNKNOWN_REFERENCE: 'The mission has no artifact with this id.',
  PASS_EXPIRED: 'The work was done when every librarian pass of its task had expired.',
  REVIEW_WITHOUT_PACKET: 'There is no aggregation packet that the review could be about.',
  SECOND_REVIEW: 'The aggregation packet has already been reviewed.',
}
export type ArtifactProblemCode = keyof typeof ARTIFACT_PROBLEM_CODES

/** One problem of an artifact, a graph or a mission. */
export type ArtifactProblem = Issue<ArtifactProblemCode>

/** The result of every check that only lists problems. */
export interface CheckResult {
  readonly valid: boolean
  readonly errors: readonly ArtifactProblem[]
}

/** Creates a problem; the code is checked against the table. */
export function problem(pointer: string, code: ArtifactProblemCode, message: string): ArtifactProblem {
  return { pointer, code, message }
}
