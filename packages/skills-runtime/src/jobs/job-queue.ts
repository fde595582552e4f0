import { type Clock, generateId } from '@minions/core'
import { systemTimers, type Timers } from '@minions/core/coordination'
import { guardMethods, type IdSource, type Logger, silentLogger, takeOptions } from '@minions/core/plugin'
import { compileSchema, describeIssues } from '@minions/core/schema'
import type { StoreAccess } from '@minions/core/storage'
import { Type } from 'typebox'
import { skillsError } from '../errors.js'
import type { SubagentManager } from '../runtime/manager/subagent-manager.js'
import type { ClusterStatus } from './cluster-status.js'
import type { Executor, JobFilter } from './executor.js'
import { JOB_LIMITS, type Job, Tag } from './job/job-schema.js'
import type { NewJob } from './job/new-job.js'
import { Schedules } from './schedules/schedules.js'
import { JobWorker } from './worker/job-worker.js'

export interface JobQueueOptions {
  readonly executor: Executor
  readonly manager: SubagentManager
  readonly store: StoreAccess
  readonly clock?: Clock
  readonly timers?: Timers
  readonly ids?: IdSource
  readonly log?: Logger
}

export interface WorkOptions {
  /** Maximum number of concurrent jobs; 4 by default. */
  readonly concurrency?: number
  /** Tags of the worker: it takes jobs all of whose tags are among them. */
  readonly tags?: readonly string[]
  /** Names of the skills that it takes jobs for; by default all whose code is registered. */
  readonly skills?: readonly string[]
}

/** A worker of this process. */
export interface RunningWorker {
  readonly id: string
  /** Number of jobs assigned to it. */
  readonly running: number
  /** Call after registering skills. */
  refresh(): void
  /**
   * Takes no more jobs, and resolves when its jobs have ended; after that many milliseconds, if given, they are
   * interrupted and go to other workers.
   */
  stop(milliseconds?: number): Promise<void>
}

const isWork = compileSchema(
  Type.Object({
    concurrency: Type.Integer({ minimum: 1, maximum: 10_000 }),
    tags: Type.Array(Tag, { maxItems: JOB_LIMITS.tags }),
  }),
)

/** Jobs: executions of skills that any worker may run, in this process or another. */
export class JobQueue {
  /** Delivers jobs to workers. */
  readonly executor: Executor
  readonly schedules: Schedules
  readonly #manager: SubagentManager
  readonly #ids: IdSource
  readonly #workers = new Set<RunningWorker>()

  constructor(options: JobQueueOptions) {
    const { executor, manager, store, ...given } = takeOptions('The options of a queue of jobs', options)
    const { clock = Date.now, timers = systemTimers, ids = generateId, log = silentLogger } = given
    this.executor = executor
    this.#manager = manager
    this.#ids = ids
    this.schedules = new Schedules({ store, executor, clock, timers, log })
  }

  /** Submits a job, and resolves when it is stored. Throws `VALIDATION_FAILED`, `CONFLICT` and `QUEUE_FULL`. */
  async submit(job: NewJob): Promise<Job> {
    return (await this.executor.submit([job]))[0] as Job
  }

  /** Submits jobs, all or none. */
  submitAll(jobs: readonly NewJob[]): Promise<Job[]> {
    return this.executor.submit(jobs)
  }

  /** Throws `NOT_FOUND`. */
  async get(jobId: string): Promise<Job> {
    const job = await this.executor.get(jobId)
    if (job) return job
    throw skillsError('NOT_FOUND', `There is no job "${String(jobId).slice(0, 128)}"; list the jobs with jobs.list.`)
  }

  /** Jobs, the oldest first. */
  list(filter?: JobFilter): Promise<Job[]> {
    return this.executor.list(filter)
  }

  /** Resolves to a job once it has ended, wherever that is. Throws `NOT_FOUND`. */
  wait(jobId: string, options?: { readonly signal?: AbortSignal }): Promise<Job> {
    return this.executor.wait(jobId, options)
  }

  /** Ends a job that has not ended, wherever it runs. Throws `NOT_FOUND` and `CONFLICT`. */
  cancel(jobId: string): Promise<Job> {
    return this.executor.cancel(jobId)
  }

  /** Jobs that failed, the oldest first. */
  deadLetters(filter: Omit<JobFilter, 'status'> = {}): Promise<Job[]> {
    return this.executor.list({ ...filter, status: 'failed' })
  }

  /** Resends a failed or cancelled job. Throws `NOT_FOUND` and `CONFLICT`. */
  resend(jobId: string): Promise<Job> {
    return this.executor.resend(jobId)
  }

  /** Removes a job that has ended. Throws `NOT_FOUND` and `CONFLICT`. */
  remove(jobId: string): Promise<void> {
    return this.executor.remove(jobId)
  }

  /** Sets the maximum number of concurrent jobs of a skill, across all workers; null for no limit. */
  async limit(skillName: string, limit: number | null): Promise<void> {
    if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= JOB_LIMITS.limit)) {
      const message = `The limit of a skill must be a whole number from 1 to ${JOB_LIMITS.limit}, or null.`
      throw skillsError('VALIDATION_FAILED', message)
    }
    await this.executor.setLimit(skillName, limit)
  }

  /** Workers and their jobs, queues, and skills without a worker. */
  status(): Promise<ClusterStatus> {
    return this.executor.status()
  }

  /** Starts a worker in this process, for the skills whose code is registered. */
  async work(options: WorkOptions = {}): Promise<RunningWorker> {
    const { concurrency = 4, tags = [], skills } = options
    const work = { concurrency, tags }
    if (!isWork.check(work)) {
      const issues = describeIssues(isWork.issues(work), 'it', 1)
      throw skillsError('VALIDATION_FAILED', `A worker cannot be started like this: ${issues}.`)
    }
    const id = this.#ids()
    const endpoint = new JobWorker({ manager: this.#manager, workerId: id, concurrency, tags, only: skills })
    const link = await this.executor.connect(endpoint)
    const stopSchedules = await this.schedules.start()
    const worker: RunningWorker = {
      id,
      get running() {
        return link.running
      },
      refresh: () => link.refresh(),
      stop: async (milliseconds) => {
        this.#workers.delete(worker)
        if (this.#workers.size === 0) stopSchedules()
        await link.drain(milliseconds)
      },
    }
    this.#workers.add(worker)
    return worker
  }

  /** Stops the workers of this process: their jobs are interrupted after that many milliseconds and go to others. */
  async close(milliseconds = 3000): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop(milliseconds)))
    await this.executor.close()
  }
}

guardMethods(JobQueue, { callsBack: ['work'] })
