import { pluginRef, type SharedLimits } from '@minions/core/plugin'
import type { RedisTransport } from './transport/redis-transport.js'

/** The API of the plugin: `app.redis`. */
export interface RedisApi {
  readonly transport: RedisTransport
  /** Limits across all processes of the cluster. */
  readonly limits: SharedLimits
}

/** The Redis of an app, as other plugins depend on it. */
export const redisRef = pluginRef<RedisApi>()('@minions/redis', 'redis')
