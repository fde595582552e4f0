import { optionalInteger, strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'

/** Concurrency limits. */
export const LimitsSchema = strictObject({
  agents: optionalInteger(1, 'Subagents that run at once; no limit by default.'),
  whenFull: Type.Optional(
    Type.Enum(['queue', 'reject'], { description: 'What to do with a run for which there is no capacity; `queue`.' }),
  ),
  queue: optionalInteger(0, 'Runs that may wait; no limit by default.'),
  skills: Type.Optional(
    Type.Unsafe<Readonly<Record<string, number>>>({
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'Executions of one skill at once, by its name.',
    }),
  ),
})

export type Limits = Readonly<Static<typeof LimitsSchema>>
