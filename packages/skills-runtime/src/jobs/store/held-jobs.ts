import { messageOf } from '@minions/core'
import { sleep } from '@minions/core/coordination'
import type { JsonObject } from '@minions/core/json'
import type { Revised } from '@minions/core/storage'
import { skillsError } from '../../errors.js'
import type { JobOutcome, WorkerEndpoint } from '../executor.js'
import { errorOf } from '../job/error-of.js'
import type { Job } from '../job/job-schema.js'
import { jobLost } from './job-ledger.js'
import type { LinkParts } from './link-parts.js'
import type { Slot, Slots } from './slots.js'

interface Held {
  readonly job: Revised<Job>
  readonly abort: AbortController
  /** Freed when the job is done, before its outcome is stored, and while it waits for a person. */
  readonly slot: Slot | undefined
  isLost: boolean
  isResting: boolean
  done: Promise<void>
}

/** What a worker is told of its jobs. */
export interface HeldEvents {
  readonly slotFreed: () => void
  readonly counted: (what: 'completed' | 'failed') => void
  readonly ended: () => void
}

export class HeldJobs {
  readonly #parts: LinkParts
  readonly #worker: WorkerEndpoint
  readonly #slots: Slots
  readonly #events: HeldEvents
  /** By the id of the subagent: a job that was removed and submitted again may be here twice. */
  readonly #held = new Map<string, Held>()
  /** Subagents of jobs that the store assigns to this worker but that are not here, with the revision first missed. */
  #missed = new Map<string, string>()
  #isDraining = false
  #isClosed = false

  constructor(parts: LinkParts, worker: WorkerEndpoint, slots: Slots, events: HeldEvents) {
    this.#parts = parts
    this.#worker = worker
    this.#slots = slots
    this.#events = events
  }

  get size(): number {
    return this.#held.size
  }

  get light(): number {
    return [...this.#held.values()].filter(({ job }) => job.record.weight === 0).length
  }

  begin(job: Revised<Job>): void {
    const abort = new AbortController()
    const { ledger } = this.#parts
    const delivery = {
      job: job.record,
      signal: abort.signal,
      rest: () => this.#rest(held),
      commit: (result: JsonObject) => {
        this.#freeSlot(held)
        return ledger.commitWork(job, result)
      },
    }
    const agentId = job.record.agent_id
    const slot = job.record.weight === 0 ? undefined : this.#slots.take()
    const held: Held = { job, abort, slot, isLost: false, isResting: false, done: Promise.resolve() }
    this.#held.set(agentId, held)
    held.done = Promise.resolve()
      .then(() => this.#worker.perform(delivery))
      .catch((error: unknown): JobOutcome => ({ status: 'failed', error: errorOf(error) }))
      .then((outcome) => {
        this.#freeSlot(held)
        return this.#end(held, outcome)
      })
      .finally(() => {
        // A returned job may have come back by now.
        if (this.#held.get(agentId) === held) this.#held.delete(agentId)
        this.#parts.changed()
        this.#events.ended()
      })
  }

  /** The worker takes no more jobs: those that wait for a person, now or later, are given to another one. */
  drain(): void {
    this.#isDraining = true
    for (const { isResting, abort } of this.#held.values()) if (isResting) abort.abort(stopped())
  }

  /** Aborts all of them; another worker does them. */
  stop(): void {
    for (const { abort } of this.#held.values()) abort.abort(stopped())
  }

  async whenEnded(): Promise<void> {
    while (this.#held.size > 0) await Promise.all([...this.#held.values()].map(({ done }) => done))
  }

  close(): void {
    this.#isClosed = true
  }

  loseAll(): void {
    for (const held of this.#held.values()) this.#lose(held)
  }

  /**
   * Compares the jobs that the store assigns to this worker with those it has: a job that was cancelled or taken is
   * aborted, and one that was claimed without a reply, because a connection broke for example, is returned.
   */
  compare(
    running: readonly Revised<Job>[],
    { isClaiming, isPartial }: { readonly isClaiming: boolean; readonly isPartial: boolean },
  ): void {
    const own = new Map(running.map((job) => [job.record.agent_id, job]))
    for (const [agentId, held] of this.#held) {
      if (isPartial || held.isLost || own.get(agentId)?.revision === held.job.revision) continue
      void this.#confirmLost(agentId, held)
    }
    const missed = new Map<string, string>()
    for (const [agentId, job] of own) {
      if (this.#held.has(agentId)) continue
      if (this.#missed.get(agentId) === job.revision && !isClaiming) void this.#giveBack(job)
      else missed.set(agentId, job.revision)
    }
    this.#missed = missed
  }

  /** A job that waits for a person frees its slot; a draining worker hands it to another worker. */
  #rest(held: Held): () => Promise<void> {
    const { slot, abort } = held
    held.isResting = true
    if (this.#isDraining) abort.abort(stopped())
    else if (slot?.giveBack()) this.#events.slotFreed()
    return async () => {
      held.isResting = false
      await slot?.takeAgain(abort.signal)
    }
  }

  /** The job is done: the next one is claimed while the outcome of this one is stored, so that both may share a commit. */
  #freeSlot({ slot }: Held): void {
    if (slot?.end()) this.#events.slotFreed()
  }

  /** Records the outcome; retries while the store is unreachable, until the job is assigned to another worker. */
  async #end(held: Held, outcome: JobOutcome): Promise<void> {
    const { timers, log, ledger } = this.#parts
    const { job } = held
    if (outcome.status === 'completed' || outcome.status === 'committed') this.#events.counted('completed')
    else if (outcome.status === 'failed') this.#events.counted('failed')
    if (outcome.status === 'committed') return
    for (let wait = 20; !held.isLost && !this.#isClosed; wait = Math.min(1000, wait * 2)) {
      try {
        const isStored = await (outcome.status === 'released' ? this.#release(job) : ledger.end(job, outcome))
        if (isStored) return
        log.warn('the outcome of a job was discarded: it belongs to another worker', { job_id: job.record.job_id })
        return
      } catch (error) {
        log.warn('the outcome of a job could not be stored; trying again', { error: messageOf(error) })
        await sleep(wait, timers)
      }
    }
  }

  #lose(held: Held): void {
    held.isLost = true
    held.abort.abort(jobLost(held.job.record.job_id))
  }

  /** The job may have been claimed or ended while the store was read. */
  async #confirmLost(agentId: string, held: Held): Promise<void> {
    const { job_id } = held.job.record
    const [found] = await this.#parts.ledger.getMany([job_id]).catch(() => [held.job])
    if (this.#held.get(agentId) !== held || found?.revision === held.job.revision) return
    // A job that was removed, or now has another subagent, had been cancelled before.
    const isSame = found?.record.agent_id === agentId
    if (isSame && found.record.status === 'completed') return
    if (isSame && found.record.status !== 'cancelled') return this.#lose(held)
    held.isLost = true
    held.abort.abort(skillsError('CANCELLED', `The job "${job_id}" was cancelled.`))
  }

  async #giveBack(job: Revised<Job>): Promise<void> {
    this.#parts.log.warn('a job that was claimed without a reply is returned', { job_id: job.record.job_id })
    await this.#release(job).catch(() => false)
  }

  async #release(job: Revised<Job>): Promise<boolean> {
    const { ledger, announce } = this.#parts
    const isReleased = await ledger.end(job, { status: 'released' })
    if (isReleased) announce?.([{ ...job.record, status: 'waiting' }])
    return isReleased
  }
}

function stopped() {
  return skillsError('INTERRUPTED', 'The worker was stopped; another one will run the job.')
}
