import { createToken } from './token.js'

/** A number of uses per number of seconds. */
export interface SharedRate {
  readonly points: number
  readonly duration: number
}

/** Counts uses by key. */
export interface SharedRateLimiter {
  /** Counts one use; rejects, with `msBeforeNext` on the error, if the limit is exceeded. */
  consume(key: string): Promise<void>
}

/** Limits concurrency. */
export interface SharedSlots {
  /** Acquires a slot, waiting if necessary, and resolves to a function that releases it. */
  acquire(signal?: AbortSignal): Promise<() => void>
}

/** Limits shared by all processes of an app. Limits with the same name are the same limit. */
export interface SharedLimits {
  rate(name: string, rate: SharedRate): SharedRateLimiter
  slots(name: string, limit: number): SharedSlots
}

/** The service that shares limits between processes. Without it, each process has its own limits. */
export const sharedLimits = createToken<SharedLimits>('@minions/core/shared-limits')
