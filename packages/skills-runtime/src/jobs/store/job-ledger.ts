import { type Clock, generateId } from '@minions/core'
import { getOrInsert, type JsonObject } from '@minions/core/json'
import { guardMethods, type IdSource, readClock, readMillis, takeOptions } from '@minions/core/plugin'
import { type Revised, retryConflicts, type StoreAccess, unlessConflict, WriteBatch } from '@minions/core/storage'
import { skillsError } from '../../errors.js'
import type { CommitWork } from '../../skills/definition/skill-context.js'
import { isUsableKey, quoted } from '../../validation.js'
import type { JobFilter, JobOutcome } from '../executor.js'
import { ENDED_STATUSES, hasEnded, JOB_LIMITS, type Job, type JobError } from '../job/job-schema.js'
import { type NewJob, newJob } from '../job/new-job.js'
import type { Served } from '../job/queue-name.js'
import { jobsCollection } from './collections.js'
import { rankJobs } from './rank-jobs.js'

/** Old jobs that are removed in one write. */
const PRUNE_PAGE = 500

export interface LedgerOptions {
  readonly clock: Clock
  readonly ids?: IdSource
  /** Maximum number of jobs that may wait; no limit by default. */
  readonly maxWaiting?: number | undefined
}

/**
 * The jobs in the store, the source of truth whatever delivers them. A claimed job changes only when it ends or is
 * taken from its worker, so its revision is the fencing token: a worker that lost a job can no longer complete it.
 */
export class JobLedger {
  readonly #store: StoreAccess
  readonly #clock: Clock
  readonly #ids: IdSource
  readonly #maxWaiting: number | undefined

  /** The store must have been opened with `jobsCollections`. */
  constructor(store: StoreAccess, options: LedgerOptions) {
    const { clock, ids = generateId, maxWaiting } = takeOptions('The options of a ledger of jobs', options)
    this.#store = store
    this.#clock = clock
    this.#ids = ids
    this.#maxWaiting = maxWaiting
  }

  /** See `Executor.submit`. */
  async add(inputs: readonly NewJob[]): Promise<Job[]> {
    if (inputs.length > JOB_LIMITS.batch) {
      throw skillsError('VALIDATION_FAILED', `At most ${JOB_LIMITS.batch} jobs are submitted at once.`)
    }
    const jobs = inputs.map((input) => newJob(input, this.#clock, this.#ids))
    return retryConflicts(async (write) => {
      const known = await this.#known(jobs, inputs)
      const fresh = firstOfEach(jobs.filter(({ job_id }) => !known.has(job_id)))
      requireSame(jobs, known, fresh)
      await this.#requireCapacity(fresh.length)
      const ranked = await rankJobs(this.#store, fresh)
      const batch = new WriteBatch()
      for (const job of ranked) batch.put(jobsCollection, job, { ifAbsent: true })
      await write(this.#store.write(batch))
      for (const job of ranked) known.set(job.job_id, job)
      return jobs.map(({ job_id }) => known.get(job_id) as Job)
    })
  }

  get(jobId: string): Promise<Job | undefined> {
    return this.#store.get(jobsCollection, usableId(jobId))
  }

  /** Jobs by id, without missing ones. */
  async getMany(jobIds: readonly string[]): Promise<Revised<Job>[]> {
    const found = await this.#store.getMany(jobsCollection, jobIds.map(usableId))
    return found.filter((job) => job !== undefined)
  }

  /** The ended jobs among those given. */
  async endedAmong(jobIds: readonly string[]): Promise<Job[]> {
    const where = { job_id: { in: jobIds }, status: { in: ENDED_STATUSES } }
    return (await this.#store.find(jobsCollection, { where, limit: Math.max(1, jobIds.length) })).items
  }

  async list({ limit = 100, ...filter }: JobFilter = {}): Promise<Job[]> {
    const where = Object.fromEntries(
      Object.entries(filter).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === 'string' ? value : { in: [...value] }]],
      ),
    )
    return (await this.#store.find(jobsCollection, { where, limit })).items
  }

  /** True if a job is waiting that a worker could take now. */
  async hasWaiting(served: Served, { light = false } = {}): Promise<boolean> {
    if (served.queues.length === 0) return false
    const where = { ...this.#waitingFor(served), ...(light && { weight: 0 }) }
    // An order that an index has: any other would read past other jobs.
    const orderBy = light ? [{ field: 'weight' }] : ORDER
    return (await this.#store.find(jobsCollection, { where, orderBy, limit: 1 })).items.length > 0
  }

  /** Assigns up to that many jobs to a worker, the most urgent first. `light` takes only jobs that need no slot. */
  async claim(workerId: string, served: Served, limit: number, { light = false } = {}): Promise<Revised<Job>[]> {
    if (served.queues.length === 0) return []
    const where = { ...this.#waitingFor(served), ...(light && { weight: 0 }) }
    return this.#store.claim(jobsCollection, { where, orderBy: ORDER, limit }, (job) => this.#taken(job, workerId))
  }

  /** The work that ends a claimed job together with its execution, or alone if executions are not stored. */
  commitWork(job: Revised<Job>, result: JsonObject): CommitWork {
    const { record, revision } = job
    const outcome = { status: 'completed', result } as const
    return async (batch, attempt) => {
      if (batch === undefined) {
        if (!(await this.end(job, outcome))) throw jobLost(record.job_id)
        return undefined
      }
      const current = attempt > 1 ? await this.#store.getRevised(jobsCollection, record.job_id) : job
      if (current?.revision !== revision) throw jobLost(record.job_id)
      batch.put(jobsCollection, this.#ended(record, outcome), { ifRevision: revision })
      return undefined
    }
  }

  /** Records the outcome of a claimed job. Resolves to false if it now belongs to another worker, or has ended. */
  async end(
    { record, revision }: Revised<Job>,
    outcome: Exclude<JobOutcome, { status: 'committed' }>,
  ): Promise<boolean> {
    const job = outcome.status === 'released' ? released(record) : this.#ended(record, outcome)
    return (await unlessConflict(this.#store.put(jobsCollection, job, { ifRevision: revision }))) !== undefined
  }

  /** Takes all jobs from a dead worker: they wait again, or fail if too many workers have died on them. */
  async takeFrom(workerId: string): Promise<Job[]> {
    const where = { worker_id: workerId, status: 'running' }
    const taken = await this.#store.claim(jobsCollection, { where, limit: 1000 }, (job) =>
      job.deliveries < job.max_deliveries ? waiting(job) : this.#ended(job, { status: 'failed', error: worker(job) }),
    )
    return taken.map(({ record }) => record)
  }

  /** See `Executor.cancel`. */
  cancel(jobId: string): Promise<Job> {
    return this.#change(jobId, (job) => {
      if (hasEnded(job)) throw notPossible(job, 'cannot be cancelled: it has ended')
      return { ...job, status: 'cancelled', ended_at: readClock(this.#clock) }
    })
  }

  /** See `Executor.resend`. A new subagent runs it, since the previous one has ended. */
  resend(jobId: string): Promise<Job> {
    return this.#change(jobId, (job) => {
      if (job.status !== 'failed' && job.status !== 'cancelled') {
        throw notPossible(job, 'cannot be sent again; only a failed or cancelled one can')
      }
      const begun = { started_at: null, ended_at: null, worker_id: null, result: null, error: null }
      return { ...job, ...begun, status: 'waiting', agent_id: this.#ids(), due_at: 0, deliveries: 0, releases: 0 }
    })
  }

  /** See `Executor.remove`. */
  async remove(jobId: string): Promise<void> {
    const found = await this.#require(jobId)
    if (!hasEnded(found.record)) throw notPossible(found.record, 'cannot be removed before it has ended')
    await this.#store.delete(jobsCollection, jobId, { ifRevision: found.revision })
  }

  /** Removes jobs that were completed or cancelled more than that many milliseconds ago. Resolves to their number. */
  async prune(keepFor: number): Promise<number> {
    const before = new Date(readMillis(this.#clock) - keepFor).toISOString()
    const where = { status: { in: ['completed', 'cancelled'] }, ended_at: { lt: before } }
    for (let removed = 0; ; ) {
      const { items } = await this.#store.find(jobsCollection, { where, limit: PRUNE_PAGE })
      if (items.length === 0) return removed
      const ids = items.map(({ job_id }) => job_id)
      removed += await this.#store.deleteMany(jobsCollection, ids)
    }
  }

  #change(jobId: string, change: (job: Job) => Job): Promise<Job> {
    return retryConflicts(async (write) => {
      const found = await this.#require(jobId)
      const job = change(found.record)
      await write(this.#store.put(jobsCollection, job, { ifRevision: found.revision }))
      return job
    })
  }

  async #require(jobId: string): Promise<Revised<Job>> {
    const found = await this.#store.getRevised(jobsCollection, usableId(jobId))
    if (found === undefined) throw noSuchJob(jobId)
    return found
  }

  /** Only given ids can already exist. */
  async #known(jobs: readonly Job[], inputs: readonly NewJob[]): Promise<Map<string, Job>> {
    const ids = jobs.filter((_, index) => inputs[index]?.id !== undefined).map(({ job_id }) => job_id)
    const known = ids.length === 0 ? [] : await this.getMany([...new Set(ids)])
    return new Map(known.map(({ record }) => [record.job_id, record]))
  }

  async #requireCapacity(more: number): Promise<void> {
    if (this.#maxWaiting === undefined || more === 0) return
    const waiting = await this.#store.count(jobsCollection, { where: { status: 'waiting' } })
    if (waiting + more <= this.#maxWaiting) return
    const message = `${waiting} of at most ${this.#maxWaiting} jobs are waiting; try again when workers have done some, or start more.`
    throw skillsError('QUEUE_FULL', message, { details: { waiting, limit: this.#maxWaiting } })
  }

  #waitingFor({ queues, tagKeys }: Served) {
    const due_at = { lte: readMillis(this.#clock) }
    return { status: 'waiting', due_at, queue: { in: queues }, tag_key: { in: tagKeys } }
  }

  #taken(job: Job, workerId: string): Job {
    const deliveries = job.deliveries + 1
    return { ...job, status: 'running', worker_id: workerId, deliveries, started_at: readClock(this.#clock) }
  }

  #ended(job: Job, outcome: { status: 'completed'; result: JsonObject } | { status: 'failed'; error: JobError }): Job {
    return { ...job, ...outcome, ended_at: readClock(this.#clock) }
  }
}

guardMethods(JobLedger)

const ORDER = [{ field: 'priority' }, { field: 'rank' }]

/** This worker lost the job, for example because it was frozen for longer than its lease. */
export function jobLost(jobId: string) {
  const message = `The job "${jobId}" was assigned to another worker or has ended, so it cannot be completed here.`
  return skillsError('LEASE_LOST', message, { details: { job_id: jobId } })
}

export function noSuchJob(jobId: unknown) {
  return skillsError('NOT_FOUND', `There is no job ${quoted(jobId, 'with this id')}.`)
}

function notPossible({ job_id, status }: Job, what: string) {
  return skillsError('CONFLICT', `The job "${job_id}" is ${status} and ${what}.`, { details: { job_id, status } })
}

function waiting(job: Job): Job {
  return { ...job, status: 'waiting', worker_id: null, started_at: null }
}

function released(job: Job): Job {
  const { deliveries, releases } = job
  return { ...waiting(job), deliveries: deliveries - 1, releases: releases + 1 }
}

function worker({ deliveries }: Job): JobError {
  return { code: 'WORKER_LOST', message: `${deliveries} workers died or fell silent while they had this job.` }
}

/** An existing job is returned only for the same tenant, skill and schedule; otherwise nothing about it is revealed. */
function requireSame(jobs: readonly Job[], known: ReadonlyMap<string, Job>, fresh: readonly Job[]): void {
  const firsts = new Map([...fresh.map((job) => [job.job_id, job] as const), ...known])
  for (const { job_id, tenant_id, skill_name, schedule_id } of jobs) {
    const first = firsts.get(job_id)
    if (first?.tenant_id === tenant_id && first.skill_name === skill_name && first.schedule_id === schedule_id) continue
    const message = `The id "${job_id}" belongs to another job; choose another id.`
    throw skillsError('CONFLICT', message, { details: { job_id } })
  }
}

function firstOfEach(jobs: readonly Job[]): Job[] {
  const firsts = new Map<string, Job>()
  for (const job of jobs) getOrInsert(firsts, job.job_id, () => job)
  return [...firsts.values()]
}

/** No job has an id that is not a usable key. Throws `NOT_FOUND`. */
export function usableId(jobId: string): string {
  if (!isUsableKey(jobId)) throw noSuchJob(jobId)
  return jobId
}
