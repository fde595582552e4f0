import { instantOf } from '../mission/time.js'
import type { LibrarianPass } from '../schemas/librarian-pass.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { MissionTask } from '../schemas/mission-task-graph.js'
import type { PolicyDecision } from '../schemas/policy-decision.js'
import type { PromptPackage } from '../schemas/prompt-package.js'
import type { PolicyConfig } from './policy-config.js'

/** The artifacts that decide what a task may do. Those of other tasks and missions may be included, and are ignored. */
export interface TaskPolicy {
  readonly envelope: MissionEnvelope
  /** The task as the current graph describes it. */
  readonly task: MissionTask
  readonly packages: readonly PromptPackage[]
  readonly passes: readonly LibrarianPass[]
  readonly decisions: readonly PolicyDecision[]
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number
  readonly config?: PolicyConfig
  /** Tools requested by the skills in use; a task may then use no others. */
  readonly skillTools?: readonly string[]
}

export function ofTask<T extends { readonly mission_id: string; readonly task_id: string }>(
  artifacts: readonly T[],
  { envelope, task }: TaskPolicy,
): T[] {
  return artifacts.filter(({ mission_id, task_id }) => mission_id === envelope.mission_id && task_id === task.task_id)
}

/** The passes of the task that are valid at the time of the request. */
export function validPasses(policy: TaskPolicy): LibrarianPass[] {
  return ofTask(policy.passes, policy).filter((pass) => policy.at < instantOf(pass.expires_at))
}
