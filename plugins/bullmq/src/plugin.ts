import { hostname } from 'node:os'
import { definePlugin, guarded, provide, tokens } from '@minions/core/plugin'
import { executorToken } from '@minions/skills-runtime/jobs'
import manifest from '../package.json' with { type: 'json' }
import { type BullmqSettings, BullmqSettingsSchema } from './options.js'
import { type BullmqApi, bullmqRef } from './ref.js'
import { bullmqExecutor } from './stored/bullmq-executor.js'
import { bullmqCollections } from './stored/cluster-id.js'

/** The plugin: the jobs of an app are announced to workers by BullMQ, on Redis or PostgreSQL. */
export const bullmq = guarded('bullmq', (options: BullmqSettings) =>
  definePlugin({
    ref: bullmqRef,
    version: manifest.version,
    deps: {
      store: tokens.store,
      backend: tokens.backend,
      clock: tokens.clock,
      ids: tokens.ids,
      log: tokens.logger,
    },
    collections: bullmqCollections,
    options: { schema: BullmqSettingsSchema, value: options },
    provides: [provide(executorToken, (api: BullmqApi) => api.executor)],
    async setup({ backend, ...parts }): Promise<BullmqApi> {
      const watch = backend.watchChanges?.bind(backend)
      const host = { name: hostname(), pid: process.pid }
      return { executor: await bullmqExecutor({ ...options, ...parts, watch, host }) }
    },
    dispose: ({ executor }) => executor.close(),
  }),
)
