import { pluginRef } from '@minions/core/plugin'
import type { JobQueue } from './job-queue.js'

/** Reference to the plugin for the `deps` of others. */
export const jobsRef = pluginRef<JobQueue>()('@minions/skills-runtime/jobs', 'jobs')
