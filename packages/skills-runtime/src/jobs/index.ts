export {
  type ClusterQueue,
  type ClusterStatus,
  ClusterStatusSchema,
  type ClusterWorker,
} from './cluster-status.js'
export {
  type Delivery,
  type Executor,
  type ExecutorCapabilities,
  executorToken,
  type JobFilter,
  type JobOutcome,
  type SkillLimit,
  type SkillVersion,
  type WorkerEndpoint,
  type WorkerLink,
} from './executor.js'
export { type InProcessOptions, inProcessExecutor } from './in-process-executor.js'
export {
  ENDED_STATUSES,
  hasEnded,
  JOB_LIMITS,
  JOB_STATUSES,
  type Job,
  type JobError,
  JobSchema,
  type JobStatus,
} from './job/job-schema.js'
export { type NewJob, NewJobSchema } from './job/new-job.js'
export { type Served, servedBy, serves } from './job/queue-name.js'
export { JobQueue, type JobQueueOptions, type RunningWorker, type WorkOptions } from './job-queue.js'
export { type JobsOptions, JobsSettingsSchema, jobs, jobs as plugin } from './plugin.js'
export { jobsRef } from './ref.js'
export { type Schedule, ScheduleSchema } from './schedules/schedule-schema.js'
export { type ScheduleInput, Schedules } from './schedules/schedules.js'
export { jobsCollections, type WorkerRecord } from './store/collections.js'
export type { JobLedger } from './store/job-ledger.js'
export { StoreExecutor, type StoreExecutorOptions } from './store/store-executor.js'
export type { StoreLink } from './store/store-link.js'
export type { WorkerRoster } from './store/worker-roster.js'
