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

/** The error for what a limiter rejects with: `RATE_LIMITED` for one request too many. */
export function rateError(rejected: unknown): unknown {
  const { msBeforeNext } = (rejected ?? {}) as { msBeforeNext?: unknown }
  // A limiter that fails, rather than refuses, is an ordinary error.
  if (typeof msBeforeNext !== 'number') return rejected
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return serverError('RATE_LIMITED', `Too many requests; try again in ${retryAfter} s.`, { details: { retryAfter } })
}
