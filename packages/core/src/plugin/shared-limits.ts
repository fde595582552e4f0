import { createToken } from './token.js'

/** So many uses in so many seconds. */
export interface SharedRate {
  readonly points: number
  readonly duration: number
}

/** Counts uses by key. */
export interface SharedRateLimiter {
  /** Counts one use; rejects, with `msBeforeNext` on the error, if it is one too many. */
  consume(key: string): Promise<void>
}

/** Lets so many run at once. */
export interface SharedSlots {
  /** Takes a slot, waiting for it if need be, and resolves to the function that gives it back. */
  acquire(signal?: AbortSignal): Promise<() => void>
}

/** Limits that hold over all processes of an app. Those of one name are one limit. */
export interface SharedLimits {
  rate(name: string, rate: SharedRate): SharedRateLimiter
  slots(name: string, limit: number): SharedSlots
}

/** The service that shares limits between processes. Without it, each process has limits of its own. */
export const sharedLimits = createToken<SharedLimits>('@minions/core/shared-limits')
