import type { ArtifactName, TaskRoleType } from '@minions/colony-contracts'

/** The kinds of artifacts that a role may read from earlier tasks. */
export const ROLE_READS = {
  planner: [],
  prompt_master: [],
  researcher: ['librarian_pass', 'research_artifact'],
  librarian: ['research_artifact'],
  worker: ['librarian_pass', 'research_artifact', 'worker_result'],
  aggregator: ['research_artifact', 'worker_result', 'aggregation_packet'],
  reviewer: ['research_artifact', 'worker_result', 'aggregation_packet'],
} as const satisfies Record<TaskRoleType, readonly ArtifactName[]>

/** The kinds of artifacts that a role may return; a draft without `schema_name` is of the first kind. */
export const ROLE_RETURNS = {
  planner: ['mission_task_graph'],
  prompt_master: ['prompt_package'],
  researcher: ['research_artifact'],
  librarian: ['librarian_pass'],
  worker: ['worker_result'],
  aggregator: ['aggregation_packet'],
  reviewer: ['review_packet', 'writeback_proposal'],
} as const satisfies Record<TaskRoleType, readonly [ArtifactName, ...ArtifactName[]]>

/** Roles that prepare the work of other tasks; there may be no such tasks. */
export const MAY_RETURN_NOTHING: ReadonlySet<TaskRoleType> = new Set(['prompt_master', 'librarian'])

/** True if artifacts of this kind belong to the task that created them, rather than to a later task that needs them. */
export function isOfTask(schemaName: string): boolean {
  return schemaName === 'research_artifact' || schemaName === 'worker_result'
}

export type RoleReads<Role extends TaskRoleType> = (typeof ROLE_READS)[Role][number]
export type RoleReturns<Role extends TaskRoleType> = (typeof ROLE_RETURNS)[Role][number]
