import { type Static, Type } from 'typebox'

/** Limits of calls to models. */
export const LimitsSchema = Type.Object(
  {
    concurrency: Type.Optional(Type.Integer({ minimum: 1, description: 'Calls to one model at once; 8 by default.' })),
    requestsPerMinute: Type.Optional(Type.Integer({ minimum: 1, description: 'Calls to one model in a minute.' })),
    tokensPerMinute: Type.Optional(Type.Integer({ minimum: 1, description: 'Tokens of one model in a minute.' })),
    answerBytes: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum size in bytes of one answer; 10 MB by default.' }),
    ),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, description: 'Longest one attempt may take; 10 minutes.' })),
    idleMs: Type.Optional(Type.Integer({ minimum: 1, description: 'Longest pause in a stream; 60 seconds.' })),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Attempts after the first; 2.' })),
    maxRetryAfterMs: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Longest wait that a provider may request; 60 seconds.' }),
    ),
  },
  { additionalProperties: false },
)

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
