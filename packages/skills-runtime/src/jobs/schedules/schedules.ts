import { coreError, messageOf } from '@minions/core'
import { repeat } from '@minions/core/coordination'
import { copyJson } from '@minions/core/json'
import { guardMethods, readClock, readMillis, takeOptions } from '@minions/core/plugin'
import { type Revised, unlessConflict } from '@minions/core/storage'
import { skillsError } from '../../errors.js'
import { quoted } from '../../validation.js'
import type { Job } from '../job/job-schema.js'
import { type NewJob, newJob } from '../job/new-job.js'
import type { JobQueueOptions } from '../job-queue.js'
import { firstTime, nextTime } from './next-time.js'
import { type Schedule, schedulesCollection } from './schedule-schema.js'

/** Milliseconds between two reads of the schedules, by processes that have workers. */
const READ_EVERY = 10_000
const LONGEST_ID = 64

/** The input for saving a schedule. */
export interface ScheduleInput {
  readonly id: string
  readonly cron: string
  /** IANA time zone; UTC by default. */
  readonly timezone?: string
  readonly job: Omit<NewJob, 'id' | 'delay' | 'runAt'>
}

type ScheduleParts = Required<Omit<JobQueueOptions, 'manager' | 'ids'>>

/**
 * Jobs that are submitted at certain times. Processes that have workers watch the time, each by its own clock; the id of
 * a job is that of the schedule and the time, so it is submitted once however many processes try.
 */
export class Schedules {
  readonly #parts: ScheduleParts
  #stop: (() => void) | undefined
  #cancel: () => void = () => {}

  constructor(parts: ScheduleParts) {
    this.#parts = parts
  }

  /** Saves a schedule, replacing one with the same id. Throws `VALIDATION_FAILED`. */
  async save(input: ScheduleInput): Promise<Schedule> {
    const { id, cron, timezone = 'UTC', job } = takeOptions('A schedule', input)
    const { store, clock } = this.#parts
    // Validates the job now, so that it does not fail later.
    newJob({ ...job, ...(typeof id === 'string' && { id: id.slice(0, LONGEST_ID) }) }, clock)
    if (typeof id !== 'string' || id.length > LONGEST_ID) {
      throw skillsError('VALIDATION_FAILED', `The id of a schedule has at most ${LONGEST_ID} characters.`)
    }
    const schedule: Schedule = {
      schedule_id: id,
      cron,
      timezone,
      job: copyJson(job, 'The job of a schedule'),
      paused: false,
      next_at: firstTime(cron, timezone, readMillis(clock)),
      last_at: null,
      last_job_id: null,
      created_at: readClock(clock),
    }
    await store.put(schedulesCollection, schedule)
    await this.#plan()
    return schedule
  }

  async list(): Promise<Schedule[]> {
    return (await this.#parts.store.find(schedulesCollection, { limit: 10_000 })).items
  }

  /** Pauses a schedule, or continues it from now. Throws `NOT_FOUND`. */
  async pause(id: string, paused = true): Promise<Schedule> {
    const { store, clock } = this.#parts
    const { record, revision } = await this.#require(id)
    const next_at = paused ? null : nextTime(record.cron, record.timezone, readMillis(clock))
    const schedule = { ...record, paused, next_at }
    await store.put(schedulesCollection, schedule, { ifRevision: revision })
    await this.#plan()
    return schedule
  }

  /** Throws `NOT_FOUND`. Jobs that it has submitted stay. */
  async remove(id: string): Promise<void> {
    await this.#require(id)
    await this.#parts.store.delete(schedulesCollection, id)
  }

  /** Watches the time until the returned function is called. */
  async start(): Promise<() => void> {
    const { timers, log } = this.#parts
    if (this.#stop === undefined) {
      const failed = (error: unknown) => log.warn('schedules could not be read', { error: messageOf(error) })
      await this.#plan(true)
      const stop = repeat(READ_EVERY, () => this.#plan(), failed, timers, { background: true })
      this.#stop = () => {
        stop()
        this.#cancel()
        this.#stop = undefined
      }
    }
    return () => this.#stop?.()
  }

  /** Submits the jobs of schedules that are due. Resolves to the jobs. */
  async run(): Promise<Job[]> {
    return (await this.#run()).jobs
  }

  /** Resolves to the submitted jobs as well as to the times at which schedules are due next. */
  async #run(): Promise<{ readonly jobs: Job[]; readonly next: string[] }> {
    const { clock, store } = this.#parts
    const now = readMillis(clock)
    const { items } = await store.findRevised(schedulesCollection, { limit: 10_000 })
    const jobs: Job[] = []
    const next: string[] = []
    for (const { record, revision } of items) {
      if (record.paused || record.next_at === null) continue
      if (Date.parse(record.next_at) > now) {
        next.push(record.next_at)
        continue
      }
      const { job, next_at } = await this.#fire({ record, revision }, record.next_at, now)
      if (job) jobs.push(job)
      if (next_at) next.push(next_at)
    }
    return { jobs, next }
  }

  /** The job first: if the process dies in between, another finds the job already submitted. */
  async #fire(
    { record, revision }: Revised<Schedule>,
    at: string,
    now: number,
  ): Promise<{ readonly job: Job | undefined; readonly next_at: string | null }> {
    const { store, executor, log } = this.#parts
    const { schedule_id, cron, timezone, job } = record
    const id = `${schedule_id}:${at.replace(/[^0-9]/g, '')}`
    let submitted: Job | undefined
    try {
      submitted = (await executor.submit([{ ...job, id, scheduleId: schedule_id }]))[0]
    } catch (error) {
      // Another job has the id; other schedules and later times do not wait for it.
      if (!coreError.is(error, 'CONFLICT')) throw error
      log.warn('a schedule could not submit its job', { schedule_id, job_id: id, error: messageOf(error) })
    }
    // Times missed while there was no worker are made up for once.
    const next_at = nextTime(cron, timezone, Math.max(now, Date.parse(at)))
    const after = { ...record, ...(submitted && { last_at: at, last_job_id: id }), next_at }
    await unlessConflict(store.put(schedulesCollection, after, { ifRevision: revision }))
    return { job: submitted, next_at }
  }

  /** Sets timers for everything that is due before the schedules are read again. */
  async #plan(isFirst = false): Promise<void> {
    if (this.#stop === undefined && !isFirst) return
    const { timers, clock, log } = this.#parts
    const { next } = await this.#run()
    const now = readMillis(clock)
    this.#cancel()
    const times = next.map((at) => Date.parse(at) - now).filter((wait) => wait <= READ_EVERY)
    const failed = (error: unknown) => log.warn('a schedule could not be run', { error: messageOf(error) })
    if (times.length === 0) return
    const wait = Math.max(1, Math.min(...times))
    this.#cancel = timers.set(wait, () => void this.#plan().catch(failed), { background: true })
  }

  async #require(id: string): Promise<Revised<Schedule>> {
    const found =
      typeof id === 'string' && id !== '' ? await this.#parts.store.getRevised(schedulesCollection, id) : undefined
    if (found) return found
    throw skillsError('NOT_FOUND', `There is no schedule ${quoted(id, 'with this id')}.`)
  }
}

guardMethods(Schedules, { callsBack: true })
