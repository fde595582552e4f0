import type { Clock } from '@minions/core'
import { systemTimers, type Timers } from '@minions/core/coordination'
import { type Logger, silentLogger, takeOptions } from '@minions/core/plugin'
import { describeIssues, optionalInteger, ownSchema, strictObject } from '@minions/core/schema'
import type { RedisOptions as ConnectionOptions } from 'ioredis'
import { type Static, Type } from 'typebox'
import { redisError } from './errors.js'

/** The options that can be written down. */
export const RedisSettingsSchema = strictObject({
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
  connectTimeoutMs: optionalInteger(1, 'Milliseconds to wait for Redis at start; 10,000.'),
  maxMessageBytes: optionalInteger(256, 'Maximum size in bytes of a message as JSON; 1,048,576.'),
  maxBacklog: optionalInteger(1, 'Maximum number of messages waiting for delivery; 100,000.'),
})

const settingsSchema = ownSchema(RedisSettingsSchema)

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
  if (!settingsSchema().check(settings) || !URL.canParse(settings.url)) {
    const errors = settingsSchema()
      .issues(settings)
      .map(({ received: _, ...issue }) => issue)
    const why = describeIssues(errors) || '/url must be a URL such as redis://127.0.0.1:6379'
    throw redisError('VALIDATION_FAILED', `The options of Redis are not valid: ${why}.`, { details: { errors } })
  }
  const { url, prefix = 'minions', cluster = 'default', memberTtlMs = 10_000, connectTimeoutMs = 10_000 } = settings
  const { maxMessageBytes = 1_048_576, maxBacklog = 100_000 } = settings
  const limits = { memberTtlMs, connectTimeoutMs, maxMessageBytes, maxBacklog }
  return { url, prefix, cluster, ...limits, clock, timers, logger, ...(connection && { connection }) }
}
