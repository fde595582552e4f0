import { strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'

/** Delays before retries. */
export const BackoffSchema = strictObject({
  first: Type.Optional(Type.Number({ minimum: 0, description: 'Milliseconds before the first retry; 100.' })),
  factor: Type.Optional(Type.Number({ minimum: 1, description: 'Factor between consecutive waits; 2.' })),
  max: Type.Optional(Type.Number({ minimum: 0, description: 'The longest wait in milliseconds; 30,000.' })),
  jitter: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'The random share of a wait; 0.5.' })),
})

export type BackoffOptions = Readonly<Static<typeof BackoffSchema>>

/** The milliseconds to wait before retry 1, 2, … */
export type Backoff = (retry: number) => number

export function createBackoff(options: BackoffOptions = {}, random: () => number = Math.random): Backoff {
  const { first = 100, factor = 2, max = 30_000, jitter = 0.5 } = options
  return (retry) => Math.min(max, first * factor ** (retry - 1)) * (1 - jitter * random())
}
