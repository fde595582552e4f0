import type { JsonObject } from '@minions/core/json'
import { createToken } from '@minions/core/plugin'
import type { CommitWork } from '../skills/definition/skill-context.js'
import type { ClusterStatus } from './cluster-status.js'
import type { Job, JobError, JobStatus } from './job/job-schema.js'
import type { NewJob } from './job/new-job.js'

/** A job in the hands of a worker. */
export interface Delivery {
  /** The job as it was delivered: `running`, with this delivery counted. */
  readonly job: Job
  /** Aborted when the job is cancelled, was given to another worker, or the worker is told to stop at once. */
  readonly signal: AbortSignal
  /**
   * Gives the slot of the job to others, while it does nothing but wait for a person. What it returns takes a slot again,
   * and resolves when the job may go on. Undefined where jobs have no slots.
   */
  readonly rest?: (() => () => Promise<void>) | undefined
  /**
   * Adds the end of the job to the batch that records the result of its execution, so that neither can be there without
   * the other: the batch is refused once the job belongs to another worker. A worker that has used it answers
   * `committed`. Undefined where jobs are not in the store of the executions.
   */
  readonly commit?: ((result: JsonObject) => CommitWork) | undefined
}

/** What became of a delivery. */
export type JobOutcome =
  | { readonly status: 'completed'; readonly result: JsonObject }
  /** It is completed, and `commit` has recorded that. */
  | { readonly status: 'committed' }
  | { readonly status: 'failed'; readonly error: JobError }
  /** It was not done and this delivery does not count: another worker gets it at once. */
  | { readonly status: 'released' }

/** A skill whose code a worker has. */
export interface SkillVersion {
  readonly name: string
  readonly version: string
}

/** What takes jobs, as an executor sees it. */
export interface WorkerEndpoint {
  /** Never used before: a worker that starts again is another one. */
  readonly worker_id: string
  /** Jobs of weight 1 that it takes at the same time. */
  readonly concurrency: number
  /** It takes jobs all of whose tags are among these. */
  readonly tags: readonly string[]
  /** Skills whose code it has; asked again after `refresh`. */
  skills(): readonly SkillVersion[]
  /** Does a job. A rejection is a failure of the job. Never called for more jobs at once than `concurrency` allows. */
  perform(delivery: Delivery): Promise<JobOutcome>
}

/** A worker that is connected. */
export interface WorkerLink {
  /** Jobs in its hands. */
  readonly running: number
  /** The skills of the worker have changed. */
  refresh(): void
  /**
   * Takes no more jobs, and resolves when those in its hands have ended. Those that have not after so many milliseconds
   * are broken off and go to other workers; `Infinity` by default.
   */
  drain(milliseconds?: number): Promise<void>
}

/** Which jobs to list; all conditions must hold. */
export interface JobFilter {
  readonly job_id?: string | readonly string[]
  readonly status?: JobStatus | readonly JobStatus[]
  readonly skill_name?: string | readonly string[]
  readonly tenant_id?: string
  readonly worker_id?: string
  readonly schedule_id?: string
  /** Maximum number of jobs to list; 100 by default. */
  readonly limit?: number
}

/** What an executor can do beyond the minimum. What it cannot is refused with `CAPABILITY_MISSING`. */
export interface ExecutorCapabilities {
  /** Workers of other processes get jobs too, and jobs of a worker that died go to others. */
  readonly shared: boolean
  /** Jobs outlive the processes. */
  readonly durable: boolean
  /** Keeps the limits of skills over all workers: `setLimit` works. */
  readonly limits: boolean
  /** Gives tenants equal shares. */
  readonly fair: boolean
}

/** Jobs of one skill that may run at the same time, over all workers. */
export interface SkillLimit {
  readonly skill_name: string
  readonly limit: number
}

/**
 * Brings jobs to workers that can do them. A job is completed at most once, whatever dies meanwhile; it may be begun more
 * than once, and `idempotencyKey` of the skill, which is the id of the job, stays the same then.
 */
export interface Executor {
  /** For messages, e.g. `store`. */
  readonly name: string
  readonly capabilities: ExecutorCapabilities
  /**
   * Takes jobs, all or none, and resolves when they are kept as safely as the executor keeps anything. A job whose id is
   * known stays as it is. Resolves to the jobs as they are now. Throws `VALIDATION_FAILED`, `CONFLICT` for an id that a
   * job of another tenant, skill or schedule has, and, when too many wait, `QUEUE_FULL`.
   */
  submit(jobs: readonly NewJob[]): Promise<Job[]>
  get(jobId: string): Promise<Job | undefined>
  /** Jobs, the oldest first. */
  list(filter?: JobFilter): Promise<Job[]>
  /** Resolves to a job once it has ended. Throws `NOT_FOUND`. */
  wait(jobId: string, options?: { readonly signal?: AbortSignal }): Promise<Job>
  /** Ends a job that has not ended; one in the hands of a worker is aborted. Throws `NOT_FOUND` and `CONFLICT`. */
  cancel(jobId: string): Promise<Job>
  /** Lets a failed or cancelled job wait again, as if it were new. Throws `NOT_FOUND` and `CONFLICT`. */
  resend(jobId: string): Promise<Job>
  /** Forgets a job that has ended. Throws `NOT_FOUND` and `CONFLICT`. */
  remove(jobId: string): Promise<void>
  /** Lets a worker take jobs. Resolves when it does. */
  connect(worker: WorkerEndpoint): Promise<WorkerLink>
  /** Limits a skill over all workers; null removes the limit. */
  setLimit(skillName: string, limit: number | null): Promise<void>
  /** Workers, queues, and what is not served. */
  status(): Promise<ClusterStatus>
  /** Ends waiting; links that are still there are drained without delay. */
  close(): Promise<void>
}

/** Stands for the executor of an app; jobs wait in the store unless another plugin provides one. */
export const executorToken = createToken<Executor>('@minions/skills-runtime/executor')
