import type { SharedLimits } from '@minions/core/plugin'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { serverError } from '../errors.js'

/**
 * Counts requests. The limiters of `rate-limiter-flexible` fit, including those that share their counts through Redis.
 */
export interface RateLimiter {
  /** Counts one request of a caller; rejects with `msBeforeNext` if it is one too many. */
  consume(caller: string): Promise<unknown>
}

/** A number of requests per number of seconds. */
export interface RateLimit {
  readonly points: number
  readonly duration: number
}

/**
 * A limiter from its option: a limit, counted across all processes that share limits or else in this one, a limiter, or
 * false for none.
 */
export function limiterOf(
  name: string,
  limit: RateLimit | RateLimiter | false,
  shared: SharedLimits | undefined,
): RateLimiter | undefined {
  if (limit === false) return undefined
  if ('consume' in limit) return limit
  const { points, duration } = limit
  return shared?.rate(name, { points, duration }) ?? new RateLimiterMemory({ points, duration })
}

/** Counts a request. Throws `RATE_LIMITED` if it is one too many. */
export async function countRequest(limiter: RateLimiter | undefined, caller: string): Promise<void> {
  try {
    await limiter?.consume(caller)
  } catch (rejected) {
    const { msBeforeNext } = (rejected ?? {}) as { msBeforeNext?: unknown }
    // A limiter that fails, rather than refuses, is an ordinary error.
    if (typeof msBeforeNext !== 'number') throw rejected
    const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
    throw serverError('RATE_LIMITED', `Too many requests; try again in ${retryAfter} s.`, { details: { retryAfter } })
  }
}
