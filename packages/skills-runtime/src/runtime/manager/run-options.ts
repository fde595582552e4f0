import { checkObject, checkRetries, checkSignal } from '../../arguments.js'
import type { RunSettings } from '../engine/run-settings.js'
import type { ChainParams } from './plan-run.js'
import type { SpawnInput } from './spawn-input.js'

export interface RunOptions extends Pick<RunSettings, 'maxRetries'> {
  /** The version of the skill; the highest by default. */
  readonly version?: string | undefined
  /** Cancels the subagent when it is aborted. */
  readonly signal?: AbortSignal
  /** True if the caller has already checked the policy; it is not checked again. */
  readonly cleared?: boolean
}

export interface ExecuteOptions extends RunOptions, RunSettings {
  /** Name and metadata of the subagent. */
  readonly agent?: SpawnInput
  /**
   * Milliseconds after which the subagent is stored if it still runs; at once by default. One that ends sooner takes a
   * single write, and leaves no trace if the process dies before: use it only for work that is then repeated anyway.
   */
  readonly storeAfter?: number
  /** Id of the subagent, which must be unused; a new one by default. */
  readonly agentId?: string
}

export interface ResumeOptions extends RunSettings, Pick<RunOptions, 'cleared'> {
  /** Parameters of a chain that were given as functions, by skill name; needed if another process started it. */
  readonly params?: ChainParams
  /** Takes the lease without waiting for it to expire: the caller knows that its process is dead. */
  readonly takeOver?: boolean
}

export function checkRunOptions(options: RunOptions): void {
  checkObject('The run', options)
  checkSignal('The run', options.signal)
  checkRetries('The run', options.maxRetries)
}
