import type { Clock } from '@minions/core'
import { systemTimers, type Timers } from '@minions/core/coordination'
import { type Logger, silentLogger, takeOptions } from '@minions/core/plugin'
import type { RedisOptions as ConnectionOptions } from 'ioredis'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { redisError } from './errors.js'

/** The options that can be written down. */
export const RedisSettingsSchema = Type.Object(
  {
    url: Type.String({
      pattern: '^rediss?://',
      description: 'Server and database: `redis://user:password@host:6379/0`, or `rediss://` for TLS.',
    }),
    prefix: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9._:-]{1,64}$',
        description: 'Prefix of every key; `minions`. Processes with the same prefix form one cluster.',
      }),
    ),
    cluster: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Name of the cluster; `default`. A process of another cluster cannot join under the same prefix.',
      }),
    ),
    memberTtlMs: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 600_000,
        description: 'Milliseconds without a heartbeat until a process counts as gone; 10,000.',
      }),
    ),
    connectTimeoutMs: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Milliseconds to wait for Redis at start; 10,000.' }),
    ),
    maxMessageBytes: Type.Optional(
      Type.Integer({ minimum: 256, description: 'Maximum size in bytes of a message as JSON; 1,048,576.' }),
    ),
    maxBacklog: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Maximum number of messages waiting for delivery; 100,000.' }),
    ),
  },
  { additionalProperties: false },
)

export type RedisSettings = Readonly<Static<typeof RedisSettingsSchema>>

export interface RedisOptions extends RedisSettings {
  /** Further options of ioredis, such as `tls`. */
  readonly connection?: Readonly<
    Pick<ConnectionOptions, 'tls' | 'family' | 'keepAlive' | 'noDelay' | 'sentinels' | 'name'>
  >
  readonly clock?: Clock
  readonly timers?: Timers
  readonly logger?: Logger
}

export type ResolvedOptions = Required<Omit<RedisOptions, 'connection'>> & Pick<RedisOptions, 'connection'>

/**
 * Checks options and fills in defaults. Throws `VALIDATION_FAILED`. Never repeats a URL, which may contain a password.
 */
export function resolveOptions(options: RedisOptions): ResolvedOptions {
  takeOptions('Redis', options)
  const { connection, clock = Date.now, timers = systemTimers, logger = silentLogger, ...settings } = options
  const schemas: Readonly<Record<string, TSchema>> = RedisSettingsSchema.properties
  for (const [name, value] of Object.entries(settings)) {
    const schema = schemas[name]
    if (schema === undefined) throw redisError('VALIDATION_FAILED', `Redis has no option "${name}".`)
    if (value === undefined || Check(schema, value)) continue
    const about = 'description' in schema ? ` ${schema.description}` : ''
    throw redisError('VALIDATION_FAILED', `The option "${name}" of Redis is not valid.${about}`)
  }
  if (typeof settings.url !== 'string' || !URL.canParse(settings.url)) {
    throw redisError('VALIDATION_FAILED', 'Redis needs a "url", such as redis://127.0.0.1:6379.')
  }
  return {
    url: settings.url,
    prefix: settings.prefix ?? 'minions',
    cluster: settings.cluster ?? 'default',
    memberTtlMs: settings.memberTtlMs ?? 10_000,
    connectTimeoutMs: settings.connectTimeoutMs ?? 10_000,
    maxMessageBytes: settings.maxMessageBytes ?? 1_048_576,
    maxBacklog: settings.maxBacklog ?? 100_000,
    clock,
    timers,
    logger,
    ...(connection && { connection }),
  }
}
