import { hostname } from 'node:os'
import { eventSources, operations } from '@minions/core/operations'
import { definePlugin, guarded, optional, tokens } from '@minions/core/plugin'
import { optionalInteger } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import manifest from '../../package.json' with { type: 'json' }
import { checkObject } from '../arguments.js'
import { skillsRef } from '../ref.js'
import { executorToken } from './executor.js'
import { JobQueue } from './job-queue.js'
import { jobsEvents } from './operations/jobs-events.js'
import { jobsOperations } from './operations/jobs-operations.js'
import { jobsRef } from './ref.js'
import { jobsCollections } from './store/collections.js'
import { StoreExecutor } from './store/store-executor.js'

export const JobsSettingsSchema = Type.Object({
  leaseMs: optionalInteger(
    100,
    'Milliseconds without a heartbeat after which other workers take the jobs of a worker; 5,000.',
  ),
  maxWaiting: optionalInteger(1, 'Maximum number of jobs that may wait; no limit by default.'),
  keepFor: optionalInteger(0, 'Milliseconds for which completed jobs are kept; a day.'),
})

/** The options of the plugin. */
export type JobsOptions = Readonly<Static<typeof JobsSettingsSchema>>

/** The plugin: `app.jobs` submits and runs jobs, on the app's store unless another plugin provides an executor. */
export const jobs = guarded('jobs', (options: JobsOptions = {}) => {
  checkObject('The plugin', options)
  return definePlugin({
    ref: jobsRef,
    version: manifest.version,
    deps: {
      skills: skillsRef,
      executor: optional(executorToken),
      store: tokens.store,
      backend: tokens.backend,
      clock: tokens.clock,
      ids: tokens.ids,
      log: tokens.logger,
    },
    collections: jobsCollections,
    contributes: [
      [operations, jobsOperations],
      [eventSources, jobsEvents],
    ],
    options: { schema: JobsSettingsSchema, value: options },
    setup({ skills: manager, executor, store, backend, ...parts }) {
      const { shared } = backend.capabilities
      const watch = backend.watchChanges?.bind(backend)
      const host = { name: hostname(), pid: process.pid }
      const own = () => new StoreExecutor({ ...parts, ...options, store, watch, shared, host })
      return new JobQueue({ ...parts, store, manager, executor: executor ?? own() })
    },
    dispose: (queue) => queue.close(),
  })
})
