import type { JsonObject } from '@minions/core/json'
import type { CommitWork } from '../../skills/definition/skill-context.js'

/** What a run has of its own. */
export interface RunSettings {
  /** Retries of a skill after its first attempt; what the skill itself says by default. */
  readonly maxRetries?: number | undefined
  /** What skills get as `idempotencyKey`, in place of the id of the execution: the same for everything that does one job. */
  readonly idempotencyKey?: string | undefined
  /** Work that is committed together with the last result of the run, or not at all. */
  readonly alsoCommit?: ((result: JsonObject) => CommitWork) | undefined
  /** Called when the run begins to do nothing but wait for a person; what it returns is called, and awaited, before it goes on. */
  readonly rest?: (() => () => Promise<void>) | undefined
}
