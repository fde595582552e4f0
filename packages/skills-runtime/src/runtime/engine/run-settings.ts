import type { JsonObject } from '@minions/core/json'
import type { CommitWork } from '../../skills/definition/skill-context.js'

export interface RunSettings {
  /** Retries of a skill after its first attempt; by default those of the skill. */
  readonly maxRetries?: number | undefined
  /** The `idempotencyKey` of skills, instead of the execution id: the same for every run of one job. */
  readonly idempotencyKey?: string | undefined
  /** Work that is committed together with the last result of the run, or not at all. */
  readonly alsoCommit?: ((result: JsonObject) => CommitWork) | undefined
  /** Called when only a person is awaited; what it returns is awaited before the run continues. */
  readonly rest?: (() => () => Promise<void>) | undefined
}
