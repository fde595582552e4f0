import { messageOf } from '@minions/core'
import { repeat, withDeadline } from '@minions/core/coordination'
import { readClock, readMillis } from '@minions/core/plugin'
import type { Revised } from '@minions/core/storage'
import { skillsError } from '../../errors.js'
import type { JobOutcome, WorkerEndpoint, WorkerLink } from '../executor.js'
import { errorOf } from '../job/error-of.js'
import type { Job } from '../job/job-schema.js'
import { type Served, servedByEndpoint } from '../job/queue-name.js'
import { JobClaimer, MOST_LIGHT } from './claim-jobs.js'
import { jobsCollection, type WorkerRecord } from './collections.js'
import { type JobLedger, jobLost } from './job-ledger.js'
import type { LinkParts } from './link-parts.js'
import { OtherWorkers } from './other-workers.js'
import { type Slot, Slots } from './slots.js'
import { skillNames, workerRecord } from './worker-record.js'

/** Number of heartbeats, and of checks of other workers, per lease of a busy worker. */
const CHECKS = 4
/** Milliseconds between two reads of an idle worker, and between its heartbeats. */
const IDLE_LOOK = 1000
const IDLE_BEAT = 30_000
/** Milliseconds between two reads of a busy one, at most. */
const BUSY_LOOK = 500
/** Milliseconds between two attempts to take waiting jobs that could not be taken. */
const CLAIM_PAUSE = 25
/** Milliseconds between two attempts of a worker without a slot to take jobs that need none. */
const LIGHT_EVERY = 250

/** Milliseconds without an announced job after which waiting jobs count as missed. */
const QUIET = 250
/** Milliseconds after which they do so in any case. */
const SWEEP = 5000

/** A job assigned to this worker. */
interface Held {
  readonly job: Revised<Job>
  readonly abort: AbortController
  /** Freed when the job is done, before its outcome is stored, and while it waits for a person. */
  readonly slot: Slot | undefined
  isLost: boolean
  isResting: boolean
  done: Promise<void>
}

/**
 * A worker on the store: it claims jobs, renews its lease while it has some, and takes over the jobs of dead workers.
 */
export class StoreLink implements WorkerLink {
  readonly #parts: LinkParts
  readonly #worker: WorkerEndpoint
  readonly #claimer: JobClaimer
  readonly #slots: Slots
  readonly #others: OtherWorkers
  /** By the id of the subagent: a job that was removed and submitted again may be here twice. */
  readonly #held = new Map<string, Held>()
  /** Subagents of jobs that the store assigns to this worker but that are not here, with the revision first missed. */
  #missed = new Map<string, string>()
  readonly #stops: (() => void)[] = []
  #served: Served
  #record: WorkerRecord
  #revision = ''
  #incarnation = 0
  #filling: Promise<void> | undefined
  #fillAgain = false
  #isLikely = false
  #endPause: () => void = () => {}
  #claiming = false
  #beatAt = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #isClusterIdle = true
  #lightAt = Number.NEGATIVE_INFINITY
  #looks = 0
  #ticking: Promise<void> | undefined
  #draining = false
  /** With announced jobs: true if more may be waiting than could be taken. */
  #mayBeMore = false
  #rungAt = Number.NEGATIVE_INFINITY
  #waitingForSlots: (() => void)[] = []
  #sweptAt = Number.NEGATIVE_INFINITY
  #hasLeft = false

  private constructor(parts: LinkParts, worker: WorkerEndpoint) {
    this.#parts = parts
    this.#worker = worker
    this.#served = servedByEndpoint(worker)
    this.#claimer = new JobClaimer(parts.store, parts.clock)
    this.#slots = new Slots(worker.concurrency)
    this.#record = this.#newRecord()
    this.#others = new OtherWorkers(parts)
  }

  static async open(parts: LinkParts, worker: WorkerEndpoint): Promise<StoreLink> {
    const link = new StoreLink(parts, worker)
    await link.#join()
    const { timers, log, leaseMs } = parts
    if (parts.announce === undefined) link.#stops.push(parts.watch(() => link.#wake()))
    const every = Math.max(5, Math.min(BUSY_LOOK, leaseMs / CHECKS))
    const failed = (error: unknown) => log.warn('the store could not be reached; trying again', problem(error))
    link.#stops.push(repeat(every, () => link.#tick(), failed, timers))
    link.#wake()
    return link
  }

  get running(): number {
    return this.#held.size
  }

  refresh(): void {
    this.#served = servedByEndpoint(this.#worker)
    this.#record = { ...this.#record, skills: skillNames(this.#worker) }
    this.#beatAt = Number.NEGATIVE_INFINITY
    this.#wake()
  }

  /** True if it has no slot for another job. */
  get isFull(): boolean {
    return this.#draining || this.#slots.free === 0
  }

  /**
   * Called when jobs are announced: takes as many as it has slots. Resolves to true if other workers should be notified
   * too.
   */
  async ring(): Promise<boolean> {
    if (this.#draining) return true
    this.#rungAt = this.#parts.timers.now()
    this.#wake(true)
    await this.#filling
    if (!this.isFull) return false
    this.#mayBeMore = await this.#parts.ledger.hasWaiting(this.#served).catch(() => true)
    return this.#mayBeMore
  }

  /** Resolves when it has a slot that no waiting job needs, or takes no more jobs at all. */
  whenFree(): Promise<void> {
    if (this.#draining || !this.isFull) return Promise.resolve()
    return new Promise((resolve) => this.#waitingForSlots.push(resolve))
  }

  async drain(milliseconds = Number.POSITIVE_INFINITY): Promise<void> {
    if (this.#hasLeft) return
    this.#draining = true
    this.#record = { ...this.#record, state: 'draining' }
    this.#beatAt = Number.NEGATIVE_INFINITY
    this.#endPause()
    this.#tellFree()
    await this.#filling
    for (const { isResting, abort } of this.#held.values()) if (isResting) abort.abort(stopped())
    const { timers, roster } = this.#parts
    const ended = this.#allEnded()
    if (Number.isFinite(milliseconds)) {
      await withDeadline<unknown>(ended, { timeout: milliseconds, timers, expired: () => {} })
    }
    if (Number.isFinite(milliseconds)) for (const held of this.#held.values()) held.abort.abort(stopped())
    await ended
    this.#hasLeft = true
    for (const stop of this.#stops.splice(0)) stop()
    await this.#ticking?.catch(() => {})
    await roster.leave(this.#record.worker_id).catch(() => {})
  }

  async #allEnded(): Promise<void> {
    while (this.#held.size > 0) await Promise.all([...this.#held.values()].map(({ done }) => done))
  }

  /** Called after a commit by any process, or when there `isLikely` is a job to take. */
  #wake(isLikely = false): void {
    if (this.#draining) return
    this.#fillAgain = true
    this.#isLikely ||= isLikely
    if (isLikely) this.#endPause()
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
      this.#tellFree()
    })
  }

  /** Takes jobs as long as there are slots and jobs. */
  async #fill(): Promise<void> {
    const { ledger, announce } = this.#parts
    while (this.#fillAgain) {
      // Slots that become free at the same time are filled by one claim.
      await Promise.resolve()
      if (this.#draining) return
      this.#fillAgain = false
      const isLikely = this.#isLikely
      this.#isLikely = false
      const slots = this.#slots.free
      if (slots === 0 && !this.#mayTakeLight()) return
      try {
        // Claiming is a transaction, which some stores report even if it changes nothing.
        if (!isLikely && !(await ledger.hasWaiting(this.#served, { light: slots === 0 }))) continue
        if (this.#draining) return
        this.#claiming = true
        let asked = 0
        const claimed = await this.#slots.claim(
          (free) => {
            asked = free
            return this.#claimer.claim(this.#record.worker_id, this.#served, free)
          },
          (jobs) => {
            for (const job of jobs) this.#begin(job)
          },
        )
        this.#mayBeMore = asked > 0 && claimed.length === asked
        if (this.#mayBeMore) this.#wake()
        if (claimed.length === 0 && announce === undefined) await this.#pause()
      } catch (error) {
        this.#parts.log.warn('jobs could not be claimed; trying again', problem(error))
        return
      } finally {
        this.#claiming = false
      }
      if (this.#held.size > 0 && !this.#isBeating) this.#beatAt = Number.NEGATIVE_INFINITY
      if (this.#held.size > 0) void this.#tick().catch(() => {})
    }
  }

  /** A worker without a free slot need not check after every commit for jobs that need none. */
  #mayTakeLight(): boolean {
    const now = this.#parts.timers.now()
    if (this.#lightJobs >= MOST_LIGHT || now - this.#lightAt < LIGHT_EVERY) return false
    this.#lightAt = now
    return true
  }

  /** Some waiting jobs cannot be taken, such as those of a limited skill: not every commit is a reason to retry. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.timers.set(CLAIM_PAUSE, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  #tellFree(): void {
    if (!this.#draining && this.isFull) return
    for (const tell of this.#waitingForSlots.splice(0)) tell()
  }

  get #isBeating(): boolean {
    return this.#parts.timers.now() - this.#beatAt < this.#parts.leaseMs / CHECKS
  }

  get #lightJobs(): number {
    let light = 0
    for (const { job } of this.#held.values()) if (job.record.weight === 0) light++
    return light
  }

  #begin(job: Revised<Job>): void {
    const abort = new AbortController()
    const { ledger } = this.#parts
    const delivery = {
      job: job.record,
      signal: abort.signal,
      rest: () => this.#rest(held),
      commit: (result: Parameters<JobLedger['commitWork']>[1]) => {
        this.#freeSlot(held)
        return ledger.commitWork(job, result)
      },
    }
    const agentId = job.record.agent_id
    const held: Held = {
      job,
      abort,
      slot: job.record.weight === 0 ? undefined : this.#slots.take(),
      isLost: false,
      isResting: false,
      done: Promise.resolve(),
    }
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
        if (this.#claimer.hasLimits) this.#wake(true)
      })
  }

  /** A job that waits for a person frees its slot; a draining worker hands it to another worker. */
  #rest(held: Held): () => Promise<void> {
    const { slot, abort } = held
    held.isResting = true
    if (this.#draining) abort.abort(stopped())
    else if (slot?.giveBack()) this.#slotFreed()
    return async () => {
      held.isResting = false
      await slot?.takeAgain(abort.signal)
    }
  }

  /** The job is done: the next one is claimed while the outcome of this one is stored, so that both may share a commit. */
  #freeSlot({ slot }: Held): void {
    if (slot?.end()) this.#slotFreed()
  }

  #slotFreed(): void {
    if (this.#parts.announce === undefined || this.#mayBeMore) this.#wake(this.#mayBeMore)
    else this.#tellFree()
  }

  /** Records the outcome; retries while the store is unreachable, until the job is assigned to another worker. */
  async #end(held: Held, outcome: JobOutcome): Promise<void> {
    const { timers, log } = this.#parts
    const { job } = held
    if (outcome.status === 'completed' || outcome.status === 'committed') this.#count('completed')
    else if (outcome.status === 'failed') this.#count('failed')
    if (outcome.status === 'committed') return
    for (let wait = 20; !held.isLost && !this.#hasLeft; wait = Math.min(1000, wait * 2)) {
      try {
        if (outcome.status === 'released' ? await this.#release(job) : await this.#parts.ledger.end(job, outcome))
          return
        log.warn('the outcome of a job was discarded: it belongs to another worker', { job_id: job.record.job_id })
        return
      } catch (error) {
        log.warn('the outcome of a job could not be stored; trying again', problem(error))
        await new Promise<void>((resolve) => timers.set(wait, resolve))
      }
    }
  }

  #count(what: 'completed' | 'failed'): void {
    this.#record = { ...this.#record, [what]: this.#record[what] + 1 }
  }

  /** Runs heartbeats and checks when they are due, one at a time. */
  #tick(): Promise<void> {
    this.#ticking ??= this.#beatAndLook().finally(() => {
      this.#ticking = undefined
    })
    return this.#ticking
  }

  async #beatAndLook(): Promise<void> {
    const { timers, leaseMs } = this.#parts
    const now = timers.now()
    const isIdle = this.#held.size === 0
    const beatEvery = isIdle ? IDLE_BEAT : leaseMs / CHECKS
    if (now - this.#beatAt >= beatEvery) {
      await this.#beat()
      // An idle worker does one thing a second.
      if (isIdle && this.#isClusterIdle) return
    }
    const lookEvery = isIdle && this.#isClusterIdle ? IDLE_LOOK : Math.min(BUSY_LOOK, leaseMs / CHECKS)
    if (now - this.#lookedAt < lookEvery * 0.9 || this.#hasLeft) return
    this.#looks += 1
    if (this.#looks % UNSERVED_EVERY !== 0) return this.#look()
    await this.#others.lookForUnserved(this.#served)
    this.#lookedAt = timers.now()
  }

  async #beat(): Promise<void> {
    const { roster, timers, clock } = this.#parts
    this.#record = { ...this.#record, beat: this.#record.beat + 1, seen_at: readClock(clock) }
    const revision = await roster.beat(this.#record, this.#revision)
    if (this.#hasLeft) return
    if (revision === undefined) return this.#rise()
    this.#revision = revision
    this.#beatAt = timers.now()
  }

  /** Another worker marked this one dead because it was frozen; its jobs are gone. It continues as a new worker. */
  async #rise(): Promise<void> {
    this.#parts.log.warn('the worker was silent for longer than its lease, and lost its jobs', {
      worker_id: this.#record.worker_id,
      jobs: this.#held.size,
    })
    for (const held of this.#held.values()) this.#lose(held)
    this.#incarnation += 1
    this.#record = this.#newRecord()
    await this.#join()
  }

  #lose(held: Held): void {
    held.isLost = true
    held.abort.abort(jobLost(held.job.record.job_id))
  }

  /** Reads all running jobs, and those waiting for this worker. */
  async #look(): Promise<void> {
    const { store, clock, timers } = this.#parts
    const wasClaiming = this.#claiming
    const now = readMillis(clock)
    const { queues, tagKeys } = this.#served
    const waiting = {
      status: 'waiting',
      due_at: { lte: now + IDLE_LOOK * 2 },
      queue: { in: queues },
      tag_key: { in: tagKeys },
    }
    // While jobs are announced, those that wait have mostly been announced too; perhaps not those of every queue.
    const isQuiet = timers.now() - this.#rungAt > QUIET || timers.now() - this.#sweptAt > SWEEP
    if (isQuiet) this.#sweptAt = timers.now()
    const ours = this.#slots.free > 0 && isQuiet ? waiting : { ...waiting, weight: 0 }
    const where = { or: [{ status: 'running' }, ours] }
    const { items } = await store.findRevised(jobsCollection, {
      where,
      orderBy: [{ field: 'status' }],
      limit: MOST_SEEN,
    })
    this.#lookedAt = timers.now()
    const running = items.filter(({ record }) => record.status === 'running')
    this.#checkOwn(running, wasClaiming || this.#claiming, items.length === MOST_SEEN)
    for (const { record } of items) {
      if (record.status === 'waiting') this.#wakeAt(record.due_at - now)
    }
    const missed = items.flatMap(({ record }) => (record.status === 'waiting' ? [record] : []))
    if (missed.length > 0 && isQuiet) this.#parts.announce?.(missed)
    const others = new Set(
      running.map(({ record }) => record.worker_id ?? '').filter((id) => id !== this.#record.worker_id),
    )
    this.#isClusterIdle = others.size === 0
    if (others.size > 0 && (await this.#others.takeFromGone(others))) this.#wake()
  }

  #wakeAt(milliseconds: number): void {
    if (milliseconds <= 0) this.#wake()
    else this.#parts.timers.set(milliseconds, () => this.#wake(), { background: true })
  }

  /**
   * Compares the jobs that the store assigns to this worker with those it has: a job that was cancelled or taken is
   * aborted, and one that was claimed without a reply, because a connection broke for example, is returned.
   */
  #checkOwn(running: readonly Revised<Job>[], isClaiming: boolean, isPartial: boolean): void {
    const own = new Map(
      running
        .filter(({ record }) => record.worker_id === this.#record.worker_id)
        .map((job) => [job.record.agent_id, job]),
    )
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
    const { log } = this.#parts
    log.warn('a job that was claimed without a reply is returned', { job_id: job.record.job_id })
    await this.#release(job).catch(() => false)
  }

  /** Returns a job to the queue. */
  async #release(job: Revised<Job>): Promise<boolean> {
    const { ledger, announce } = this.#parts
    const isReleased = await ledger.end(job, { status: 'released' })
    if (isReleased) announce?.([{ ...job.record, status: 'waiting' }])
    return isReleased
  }

  async #join(): Promise<void> {
    this.#revision = await this.#parts.roster.join(this.#record)
    this.#beatAt = this.#parts.timers.now()
  }

  #newRecord(): WorkerRecord {
    return workerRecord(this.#worker, this.#incarnation, this.#parts)
  }
}

/** Maximum number of jobs that a worker reads per check. */
const MOST_SEEN = 2000
/** Number of checks between two for jobs that no worker can run. */
const UNSERVED_EVERY = 20

function stopped() {
  return skillsError('INTERRUPTED', 'The worker was stopped; another one will run the job.')
}

function problem(error: unknown) {
  return { error: messageOf(error) }
}
