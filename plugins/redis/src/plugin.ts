import { definePlugin, guarded, provide, sharedLimits, tokens } from '@minions/core/plugin'
import { messageTransport } from '@minions/skills-runtime'
import manifest from '../package.json' with { type: 'json' }
import { type RedisOptions, RedisSettingsSchema } from './options.js'
import { type RedisApi, redisRef } from './ref.js'
import { redisTransport } from './transport/redis-transport.js'

/** The plugin: messages of `app.skills` reach every process with the same prefix on the same Redis. */
export const redis = guarded('redis', (options: RedisOptions) => {
  const { connection: _c, clock: _k, timers: _t, logger: _l, ...settings } = options ?? {}
  return definePlugin({
    ref: redisRef,
    version: manifest.version,
    deps: { log: tokens.logger, clock: tokens.clock },
    options: { schema: RedisSettingsSchema, value: settings },
    provides: [
      provide(messageTransport, (api: RedisApi) => api.transport),
      provide(sharedLimits, (api: RedisApi) => api.limits),
    ],
    setup: async ({ log, clock }): Promise<RedisApi> => {
      const transport = await redisTransport({ logger: log, clock, ...options })
      return { transport, limits: transport.limits }
    },
    dispose: ({ transport }) => transport.close(),
  })
})
