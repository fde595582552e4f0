import type { JsonValue } from '@minions/core/json'
import type { CommitWork } from '../../skills/definition/skill-context.js'
import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import type { Attempt } from './attempt.js'

export interface Job {
  readonly skill: RegisteredSkill
  readonly idempotencyKey: string
  /** The attempt of the composed skill that this is a step of. */
  readonly parent: Attempt | undefined
  execution: SkillExecution
  state: JsonValue | undefined
  /** Work of the current attempt to commit with its result. */
  commitWork?: readonly CommitWork[]
}
