import assert from 'node:assert/strict'
import type { JsonValue } from '@minions/core/json'
import type { Delivery, Executor, JobOutcome, WorkerEndpoint, WorkerLink } from '../jobs/executor.js'
import type { Job } from '../jobs/job/job-schema.js'
import type { NewJob } from '../jobs/job/new-job.js'
import { versionsOf } from '../jobs/store/read-status.js'

export type Perform = (delivery: Delivery, worker: Recorder) => Promise<JobOutcome> | JobOutcome

let workers = 0

export class Recorder implements WorkerEndpoint {
  readonly worker_id = `kit-worker-${++workers}`
  readonly got: Job[] = []
  readonly concurrency: number
  readonly tags: readonly string[]
  running = 0
  most = 0
  readonly #skills: readonly string[]
  readonly #perform: Perform

  constructor({ skills = ['walk@1.0.0'], tags = [], concurrency = 4, perform = done }: RecorderOptions = {}) {
    this.#skills = skills
    this.#perform = perform
    this.tags = tags
    this.concurrency = concurrency
  }

  skills() {
    return versionsOf({ skills: [...this.#skills] })
  }

  async perform(delivery: Delivery): Promise<JobOutcome> {
    this.got.push(delivery.job)
    this.most = Math.max(this.most, ++this.running)
    try {
      return await this.#perform(delivery, this)
    } finally {
      this.running--
    }
  }

  get numbers(): unknown[] {
    return this.got.map(({ parameters }) => parameters.n)
  }
}

export interface RecorderOptions {
  readonly skills?: readonly string[]
  readonly tags?: readonly string[]
  readonly concurrency?: number
  readonly perform?: Perform
}

export function done({ job }: Delivery): JobOutcome {
  return { status: 'completed', result: { n: (job.parameters.n ?? null) as JsonValue } }
}

export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

/** Runs a job until its signal is aborted, then returns it. */
export function untilAborted(began: () => void): Perform {
  return ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ status: 'released' }), { once: true })
      began()
    })
}

export function untilFinished() {
  const [began, finish] = [gate(), gate()]
  const perform: Perform = async (delivery) => {
    began.open()
    await finish.opened
    return done(delivery)
  }
  return { perform, began: began.opened, finish: finish.open }
}

export async function submitOne(executor: Executor, job: Partial<NewJob> = {}): Promise<string> {
  const [submitted] = await executor.submit([{ skill: 'walk', ...job }])
  return (submitted as Job).job_id
}

export function numbered(count: number, rest: object = {}) {
  return Array.from({ length: count }, (_, n) => ({ skill: 'walk', params: { n }, ...rest }))
}

export async function waitAll(executor: Executor, jobs: readonly Job[]): Promise<Job[]> {
  return Promise.all(jobs.map(({ job_id }) => executor.wait(job_id)))
}

export async function connect(executor: Executor, options?: RecorderOptions): Promise<[Recorder, WorkerLink]> {
  const recorder = new Recorder(options)
  return [recorder, await executor.connect(recorder)]
}

export async function refused(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error: { code?: unknown }) => {
    assert.equal(error.code, code)
    return true
  })
}

/** A value whose names are in order, for comparing texts. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.keys(value)
    .sort()
    .map((key) => [key, sorted((value as Record<string, unknown>)[key])])
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
