import type { Operation } from '@minions/core/operations'
import * as cluster from './cluster.js'
import * as jobs from './jobs.js'
import * as schedules from './schedules.js'

export const jobsOperations = [
  jobs.submit,
  jobs.list,
  jobs.get,
  jobs.cancel,
  jobs.deadLetters,
  jobs.resend,
  jobs.remove,
  jobs.limit,
  schedules.save,
  schedules.list,
  schedules.pause,
  schedules.remove,
  cluster.status,
] as const satisfies readonly Operation[]
