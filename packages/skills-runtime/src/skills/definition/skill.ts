import { guarded } from '@minions/core/plugin'
import type { ResourceContent } from '../agent-skills/read-resource.js'
import type { CompositePlan } from '../composition/step.js'
import type { SkillContext } from './skill-context.js'
import type { SkillRecord } from './skill-schema.js'

/** The isolation of a skill: in the host's own thread, or in a worker thread that can be stopped. */
export type Isolation = 'inline' | 'worker'

/** The code of a skill. Results are JSON objects. */
export interface SkillCode<Params = Record<string, unknown>, Result = object> {
  // A method, so that a skill with narrower parameters is assignable.
  execute(params: Params, context: SkillContext): Promise<Result> | Result
}

/** Runtime options of a skill, which are not stored with the record. */
export interface SkillOptions {
  readonly isolation?: Isolation
  /** The module a worker imports; functions cannot be sent to another thread. */
  readonly module?: URL | string
  /** The export of `module` to call; `execute` by default. */
  readonly export?: string
  /** True if timed-out attempts are retried like failed ones; false by default. */
  readonly retryTimeouts?: boolean
  /** Milliseconds that one attempt may take; the `timeout` of the record is then this in seconds, rounded up. */
  readonly timeoutMs?: number
  /** Reads a file of a skill that is a folder, as it was when the skill was loaded. */
  readonly readFile?: (path: string) => Promise<ResourceContent>
}

/** A skill: its record, and its code unless only the record is known. */
export interface Skill<Params = Record<string, unknown>, Result = object>
  extends SkillRecord,
    SkillOptions,
    Partial<SkillCode<Params, Result>> {
  /** The steps of a composed skill. */
  readonly steps?: CompositePlan
}

/** A skill with all defaults filled in. */
export type CompleteSkill<Params = Record<string, unknown>, Result = object> = Skill<Params, Result> &
  Required<Pick<SkillRecord, 'timeout' | 'max_retries' | 'dependencies' | 'tags'>>

/** The keys of a skill that are code or options and never part of its record. */
export const RUNTIME_KEYS = [
  'execute',
  'isolation',
  'module',
  'export',
  'retryTimeouts',
  'timeoutMs',
  'readFile',
  'steps',
] as const satisfies (keyof Skill)[]

/** The parameters of a skill created with `defineSkill`. */
export type SkillParams<S> = S extends Skill<infer Params, infer _Result> ? Params : never

/** The result of a skill created with `defineSkill`. */
export type SkillResult<S> = S extends Skill<infer _Params, infer Result> ? Result : never

/** True if a skill has code, and is not just a record. */
export const isRunnable = guarded('isRunnable', (skill: Skill): boolean => {
  return skill.execute !== undefined || skill.steps !== undefined || skill.module !== undefined
})
