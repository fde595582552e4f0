import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { bullmqError } from './errors.js'

/** The options that a configuration file can contain. */
export const BullmqSettingsSchema = Type.Object(
  {
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
    leaseMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        description: 'Milliseconds without a heartbeat after which other workers take the jobs of a worker; 5,000.',
      }),
    ),
    maxWaiting: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum number of jobs that may wait; no limit by default.' }),
    ),
    connectTimeoutMs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Milliseconds to wait for the server at start; 10,000.' }),
    ),
  },
  { additionalProperties: false },
)

export type BullmqSettings = Readonly<Static<typeof BullmqSettingsSchema>>

/** Throws `VALIDATION_FAILED` unless the settings are valid. Never repeats a URL, which may contain a password. */
export function checkSettings(settings: BullmqSettings): void {
  const schemas: Readonly<Record<string, TSchema>> = BullmqSettingsSchema.properties
  for (const [name, value] of Object.entries(settings ?? {})) {
    const schema = schemas[name]
    if (schema === undefined) throw bullmqError('VALIDATION_FAILED', `BullMQ has no option "${name}".`)
    if (value === undefined || Check(schema, value)) continue
    const about = 'description' in schema ? ` ${schema.description}` : ''
    throw bullmqError('VALIDATION_FAILED', `The option "${name}" of BullMQ is not valid.${about}`)
  }
  if (typeof settings?.url !== 'string' || !URL.canParse(settings.url)) {
    throw bullmqError('VALIDATION_FAILED', 'BullMQ needs a "url", such as redis://127.0.0.1:6379.')
  }
}
