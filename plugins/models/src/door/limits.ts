import { optionalInteger, strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'

/** Limits of calls to models. */
export const LimitsSchema = strictObject({
  concurrency: optionalInteger(1, 'Calls to one model at once; 8 by default.'),
  requestsPerMinute: optionalInteger(1, 'Calls to one model in a minute.'),
  tokensPerMinute: optionalInteger(1, 'Tokens of one model in a minute.'),
  answerBytes: optionalInteger(1, 'Maximum size in bytes of one answer; 10 MB by default.'),
  timeoutMs: optionalInteger(1, 'Longest one attempt may take; 10 minutes.'),
  idleMs: optionalInteger(1, 'Longest pause in a stream; 60 seconds.'),
  retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Attempts after the first; 2.' })),
  maxRetryAfterMs: optionalInteger(0, 'Longest wait that a provider may request; 60 seconds.'),
})

export type Limits = Static<typeof LimitsSchema>

type RateLimit = 'requestsPerMinute' | 'tokensPerMinute'

/** Limits with their defaults; rates have none. */
export type EffectiveLimits = Required<Omit<Limits, RateLimit>> & Pick<Limits, RateLimit>

export const DEFAULT_LIMITS = {
  concurrency: 8,
  answerBytes: 10_000_000,
  timeoutMs: 600_000,
  idleMs: 60_000,
  retries: 2,
  maxRetryAfterMs: 60_000,
} as const satisfies Limits
