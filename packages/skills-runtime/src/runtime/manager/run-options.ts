import { checkObject, checkRetries, checkSignal } from '../../arguments.js'
import type { RunSettings } from '../engine/run-settings.js'
import type { ChainParams } from './plan-run.js'
import type { SpawnInput } from './spawn-input.js'

export interface RunOptions {
  /** The version of the skill; the highest unless given. */
  readonly version?: string
  /** Cancels the subagent when it is aborted. */
  readonly signal?: AbortSignal
  /** Retries of a skill after its first attempt; what the skill itself says unless given. */
  readonly maxRetries?: number
  /** True if the caller has asked the policy of the app about what it runs; it is not asked again. */
  readonly cleared?: boolean
}

export interface ExecuteOptions extends RunOptions {
  /** What the subagent is given. */
  readonly agent?: SpawnInput
  /**
   * Milliseconds after which the subagent is stored if it still runs; at once unless given. One that ends sooner takes one
   * write, and if the process dies before, nothing is left of it: only for work that is then begun again anyway.
   */
  readonly storeAfter?: number
  /** Id of the subagent, which none may have yet; a new one unless given. */
  readonly agentId?: string
  /** What skills get as `idempotencyKey`, in place of the id of the execution. */
  readonly idempotencyKey?: string
  /** Work that is committed together with the result, or not at all. */
  readonly alsoCommit?: RunSettings['alsoCommit']
  /** Called when the run begins to do nothing but wait for a person; what it returns is awaited before it goes on. */
  readonly rest?: RunSettings['rest']
}

export interface ResumeOptions {
  /** Parameters of a chain that were given as functions, by skill name; needed in another process than the first. */
  readonly params?: ChainParams
  /** Retries of a skill after its first attempt; what the skill itself says unless given. */
  readonly maxRetries?: number
  /** Takes the lease without waiting for it to expire: the caller knows that the process which ran the subagent is gone. */
  readonly takeOver?: boolean
  /** As for `execute`. */
  readonly idempotencyKey?: string
  /** As for `execute`. */
  readonly alsoCommit?: RunSettings['alsoCommit']
  /** As for `execute`. */
  readonly rest?: RunSettings['rest']
  /** As for a run. */
  readonly cleared?: boolean
}

export function checkRunOptions(options: RunOptions): void {
  checkObject('The run', options)
  checkSignal('The run', options.signal)
  checkRetries('The run', options.maxRetries)
}
