import type { JsonObject } from '@minions/core/json'
import type { CommitWork } from '../../skills/definition/skill-context.js'

export interface RunSettings {
  /** Retries of a skill after its first attempt; by default those of the skill. */
  readonly maxRetries?: number | undefined
  /** The `idempotencyKey` of skills, instead of the execution id: the same for every run of one job. */
  readonly idempotencyKey?: string | undefined
  /** Work that is committed together with the last result of the run, or not at all. */
  readonly alsoCommit?: ((result: JsonObject) => CommitWork) | undefined
  /**
   * Called when the run starts to wait only for a person; the returned function is called, and awaited, before it
   * continues.
   */
  readonly rest?: (() => () => Promise<void>) | undefined
}
