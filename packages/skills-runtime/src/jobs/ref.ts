import { pluginRef } from '@minions/core/plugin'
import type { JobQueue } from './job-queue.js'

/** Stands for the plugin in the `deps` of others. */
export const jobsRef = pluginRef<JobQueue>()('@minions/skills-runtime/jobs', 'jobs')
