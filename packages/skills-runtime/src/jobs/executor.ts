import type { JsonObject } from '@minions/core/json'
import { createToken } from '@minions/core/plugin'
import type { CommitWork } from '../skills/definition/skill-context.js'
import type { ClusterStatus } from './cluster-status.js'
import type { Job, JobError, JobStatus } from './job/job-schema.js'
import type { NewJob } from './job/new-job.js'

/** A job assigned to a worker. */
export interface Delivery {
  /** The job as it was delivered: `running`, with this delivery counted. */
  readonly job: Job
  /** Aborted when the job is cancelled or assigned to another worker, or the worker must stop at once. */
  readonly signal: AbortSignal
  /**
   * Frees the slot of the job while it only waits for a person. The returned function takes a slot again and resolves
   * when the job may continue. Undefined if jobs have no slots.
   */
  readonly rest?: (() => () => Promise<void>) | undefined
  /**
   * Adds the end of the job to the batch that records the result of its execution, so that neither exists without the
   * other: the batch is refused once the job belongs to another worker. A worker that used it returns `committed`.
   * Undefined if jobs are not in the store of the executions.
   */
  readonly commit?: ((result: JsonObject) => CommitWork) | undefined
}

/** The outcome of a delivery. */
export type JobOutcome =
  | { readonly status: 'completed'; readonly result: JsonObject }
  /** It is completed, and `commit` has recorded that. */
  | { readonly status: 'committed' }
  | { readonly status: 'failed'; readonly error: JobError }
  /** It was not done, and this delivery does not count: another worker gets it at once. */
  | { readonly status: 'released' }

/** A skill whose code a worker has. */
export interface SkillVersion {
  readonly name: string
  readonly version: string
}

/** A worker as an executor sees it. */
export interface WorkerEndpoint {
  /** Unique: a restarted worker has a new id. */
  readonly worker_id: string
  /** Jobs of weight 1 that it takes at the same time. */
  readonly concurrency: number
  /** It takes jobs all of whose tags are among these. */
  readonly tags: readonly string[]
  /** Skills whose code it has; read again after `refresh`. */
  skills(): readonly SkillVersion[]
  /**
   * Runs a job. A rejection is a failure of the job. Never called for more concurrent jobs than `concurrency` allows.
   */
  perform(delivery: Delivery): Promise<JobOutcome>
}

/** A connected worker. */
export interface WorkerLink {
  /** Number of jobs assigned to it. */
  readonly running: number
  /** The skills of the worker have changed. */
  refresh(): void
  /**
   * Takes no more jobs, and resolves when its jobs have ended. Those still running after that many milliseconds are
   * interrupted and go to other workers; `Infinity` by default.
   */
  drain(milliseconds?: number): Promise<void>
}

/** A filter for jobs; all conditions must match. */
export interface JobFilter {
  readonly job_id?: string | readonly string[] | undefined
  readonly status?: JobStatus | readonly JobStatus[] | undefined
  readonly skill_name?: string | readonly string[] | undefined
  readonly tenant_id?: string | undefined
  readonly worker_id?: string | undefined
  readonly schedule_id?: string | undefined
  /** Maximum number of jobs to list; 100 by default. */
  readonly limit?: number | undefined
}

/** Optional capabilities of an executor. What it lacks is refused with `CAPABILITY_MISSING`. */
export interface ExecutorCapabilities {
  /** Workers of other processes get jobs too, and take over the jobs of dead workers. */
  readonly shared: boolean
  /** Jobs outlive the processes. */
  readonly durable: boolean
  /** Enforces skill limits across all workers: `setLimit` works. */
  readonly limits: boolean
  /** Gives tenants equal shares. */
  readonly fair: boolean
}

/** Maximum number of concurrent jobs of one skill, across all workers. */
export interface SkillLimit {
  readonly skill_name: string
  readonly limit: number
}

/**
 * Delivers jobs to workers that can run them. A job is completed at most once, whatever dies; it may be started more
 * than once, with the same `idempotencyKey`, which is the id of the job.
 */
export interface Executor {
  /** For messages, e.g. `store`. */
  readonly name: string
  readonly capabilities: ExecutorCapabilities
  /**
   * Submits jobs, all or none, and resolves when they are as durable as the executor makes them. A job whose id exists
   * stays as it is. Resolves to the current jobs. Throws `VALIDATION_FAILED`, `CONFLICT` for an id that a job of
   * another tenant, skill or schedule has, and `QUEUE_FULL` if too many are waiting.
   */
  submit(jobs: readonly NewJob[]): Promise<Job[]>
  get(jobId: string): Promise<Job | undefined>
  /** Jobs, the oldest first. */
  list(filter?: JobFilter): Promise<Job[]>
  /** Resolves to a job once it has ended. Throws `NOT_FOUND`. */
  wait(jobId: string, options?: { readonly signal?: AbortSignal }): Promise<Job>
  /** Cancels a job that has not ended; a running one is aborted. Throws `NOT_FOUND` and `CONFLICT`. */
  cancel(jobId: string): Promise<Job>
  /** Resends a failed or cancelled job, as if it were new. Throws `NOT_FOUND` and `CONFLICT`. */
  resend(jobId: string): Promise<Job>
  /** Removes a job that has ended. Throws `NOT_FOUND` and `CONFLICT`. */
  remove(jobId: string): Promise<void>
  /** Connects a worker. Resolves when it takes jobs. */
  connect(worker: WorkerEndpoint): Promise<WorkerLink>
  /** Limits a skill across all workers; null removes the limit. */
  setLimit(skillName: string, limit: number | null): Promise<void>
  /** Workers, queues, and skills without a worker. */
  status(): Promise<ClusterStatus>
  /** Ends all waits; remaining links are drained at once. */
  close(): Promise<void>
}

/** Token of the executor of an app; by default jobs wait in the store. */
export const executorToken = createToken<Executor>('@minions/skills-runtime/executor')
