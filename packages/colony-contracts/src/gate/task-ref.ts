/**
 * The task of a request; a stored task is one. Without `mission_id`, it is the only mission that has such a task; if
 * several have, nothing is granted until one is named.
 */
export interface TaskRef {
  readonly task_id: string
  readonly mission_id?: string
  readonly tenant_id?: string
}
