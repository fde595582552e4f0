import { describeIssues, optionalInteger, ownSchema, strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { bullmqError } from './errors.js'

/** The options that a configuration file can contain. */
export const BullmqSettingsSchema = strictObject({
  url: Type.String({
    pattern: '^(rediss?|postgres(ql)?)://',
    description: 'Where BullMQ keeps its queues: `redis://…`, `rediss://…` or `postgres://…`.',
  }),
  prefix: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,48}$',
      description: 'Prefix of the keys in Redis; schema in PostgreSQL. `minions`. Use one per store.',
    }),
  ),
  leaseMs: optionalInteger(
    100,
    'Milliseconds without a heartbeat after which other workers take the jobs of a worker; 5,000.',
  ),
  maxWaiting: optionalInteger(1, 'Maximum number of jobs that may wait; no limit by default.'),
  connectTimeoutMs: optionalInteger(1, 'Milliseconds to wait for the server at start; 10,000.'),
})

const settingsSchema = ownSchema(BullmqSettingsSchema)

export type BullmqSettings = Readonly<Static<typeof BullmqSettingsSchema>>

/** Throws `VALIDATION_FAILED` unless the settings are valid. Never repeats a URL, which may contain a password. */
export function checkSettings(settings: BullmqSettings): void {
  if (settingsSchema().check(settings) && URL.canParse(settings.url)) return
  const errors = settingsSchema()
    .issues(settings)
    .map(({ received: _, ...issue }) => issue)
  const why = describeIssues(errors) || '/url must be a URL such as redis://127.0.0.1:6379'
  throw bullmqError('VALIDATION_FAILED', `The options of BullMQ are not valid: ${why}.`, { details: { errors } })
}
