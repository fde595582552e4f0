import { messageOf } from '@minions/core'
import { repeat, withDeadline } from '@minions/core/coordination'
import { readClock, readMillis } from '@minions/core/plugin'
import type { WorkerEndpoint, WorkerLink } from '../executor.js'
import { type Served, servedByEndpoint } from '../job/queue-name.js'
import { JobClaimer, MOST_LIGHT } from './claim-jobs.js'
import { jobsCollection, limitsCollection, type WorkerRecord } from './collections.js'
import { HeldJobs } from './held-jobs.js'
import type { LinkParts } from './link-parts.js'
import { OtherWorkers } from './other-workers.js'
import { Slots } from './slots.js'
import { IDLE_BEAT, skillNames, workerRecord } from './worker-record.js'

/** Number of heartbeats, and of checks of other workers, per lease of a busy worker. */
const CHECKS = 4
/**
 * Milliseconds after which an idle worker reads the store although nothing has woken it: one that commits wake, which is
 * longer than stores take to wake it without one, and one that announced jobs wake. With everything else that it does,
 * that is a query a second at most.
 */
const IDLE_POLL = 2250
const MISSED_POLL = 1250
/** Milliseconds between two reads of a busy one, at most. */
const BUSY_POLL = 500
/** Milliseconds between two attempts to take waiting jobs that could not be taken. */
const CLAIM_PAUSE = 25
/** Milliseconds between two attempts of a worker without a slot to take jobs that need none. */
const LIGHT_EVERY = 250

/** Milliseconds without an announced job after which waiting jobs count as missed. */
const QUIET = 250
/** Milliseconds after which they do so in any case. */
const SWEEP = 5000

/**
 * A worker on the store: it claims jobs, renews its lease while it has some, and takes over the jobs of dead workers.
 */
export class StoreLink implements WorkerLink {
  readonly #parts: LinkParts
  readonly #worker: WorkerEndpoint
  readonly #claimer: JobClaimer
  readonly #slots: Slots
  readonly #others: OtherWorkers
  readonly #held: HeldJobs
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
  #polledAt = Number.NEGATIVE_INFINITY
  #isClusterIdle = true
  #lightAt = Number.NEGATIVE_INFINITY
  /** Checks since the last upkeep. */
  #polls = 0
  #isRosterRead = false
  #ticking: Promise<void> | undefined
  #draining = false
  /** With announced jobs: true if more may be waiting than could be taken. */
  #mayBeMore = false
  #rungAt = Number.NEGATIVE_INFINITY
  #waitingForSlots: (() => void)[] = []
  #sweptAt = Number.NEGATIVE_INFINITY
  /** Times at which it will be woken for delayed jobs. */
  readonly #dueTimes = new Set<number>()
  #hasLeft = false

  private constructor(parts: LinkParts, worker: WorkerEndpoint) {
    this.#parts = parts
    this.#worker = worker
    this.#served = servedByEndpoint(worker)
    this.#claimer = new JobClaimer(parts)
    this.#slots = new Slots(worker.concurrency)
    this.#record = this.#newRecord()
    this.#others = new OtherWorkers(parts)
    this.#held = new HeldJobs(parts, worker, this.#slots, {
      slotFreed: () => this.#slotFreed(),
      counted: (what) => {
        this.#record = { ...this.#record, [what]: this.#record[what] + 1 }
      },
      ended: () => {
        if (this.#claimer.hasLimits) this.#wake(true)
      },
    })
  }

  static async open(parts: LinkParts, worker: WorkerEndpoint): Promise<StoreLink> {
    const link = new StoreLink(parts, worker)
    await link.#join()
    const { timers, log, leaseMs } = parts
    if (parts.announce === undefined) link.#stops.push(parts.watch((collections) => link.#woken(collections)))
    const every = Math.max(5, Math.min(BUSY_POLL, leaseMs / CHECKS))
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
    this.#held.drain()
    const { timers, roster } = this.#parts
    const ended = this.#held.whenEnded()
    if (Number.isFinite(milliseconds)) {
      await withDeadline<unknown>(ended, { timeout: milliseconds, timers, expired: () => {} })
      this.#held.stop()
    }
    await ended
    this.#hasLeft = true
    this.#held.close()
    for (const stop of this.#stops.splice(0)) stop()
    await this.#ticking?.catch(() => {})
    await roster.leave(this.#record.worker_id).catch(() => {})
  }

  /** Called after commits, and sometimes without one. In an idle cluster one query then shows all there is to see. */
  #woken(collections?: ReadonlySet<string>): void {
    if (collections && !collections.has(jobsCollection.name) && !collections.has(limitsCollection.name)) return
    if (this.#held.size > 0 || !this.#isClusterIdle || this.#ticking) this.#wake()
    else this.#tick(() => this.#poll()).catch(() => this.#wake())
  }

  /** Takes jobs soon, and at once when there `isLikely` is one. */
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
            for (const job of jobs) this.#held.begin(job)
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
    if (this.#held.light >= MOST_LIGHT || now - this.#lightAt < LIGHT_EVERY) return false
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

  #slotFreed(): void {
    if (this.#parts.announce === undefined || this.#mayBeMore) this.#wake(this.#mayBeMore)
    else this.#tellFree()
  }

  /** Runs heartbeats and checks when they are due, one at a time. */
  #tick(work = () => this.#beatAndPoll()): Promise<void> {
    this.#ticking ??= work().finally(() => {
      this.#ticking = undefined
    })
    return this.#ticking
  }

  async #beatAndPoll(): Promise<void> {
    const { timers, leaseMs } = this.#parts
    const isIdle = this.#held.size === 0
    const beatEvery = isIdle ? IDLE_BEAT : leaseMs / CHECKS
    if (timers.now() - this.#beatAt >= beatEvery) {
      await this.#beat()
      // An idle worker does one thing a second.
      if (isIdle && this.#isClusterIdle) return
    }
    if (this.#hasLeft) return
    if (this.#polls >= UPKEEP_EVERY) return this.#keepUp()
    if (this.#isPollDue) await this.#poll()
  }

  /** One query each time, like a poll. */
  async #keepUp(): Promise<void> {
    this.#isRosterRead = !this.#isRosterRead
    if (this.#isRosterRead) return this.#others.forgetIdle()
    this.#polls = 0
    await this.#others.reportUnserved(this.#served)
  }

  get #isPollDue(): boolean {
    const { timers, leaseMs, announce } = this.#parts
    const isIdle = this.#held.size === 0 && this.#isClusterIdle
    const idlePoll = announce === undefined ? IDLE_POLL : MISSED_POLL
    const pollEvery = isIdle ? idlePoll : Math.min(BUSY_POLL, leaseMs / CHECKS) * 0.9
    return timers.now() - this.#polledAt >= pollEvery
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
    this.#held.loseAll()
    this.#incarnation += 1
    this.#record = this.#newRecord()
    await this.#join()
  }

  /** Reads all running jobs, and those waiting for this worker. */
  async #poll(): Promise<void> {
    const { store, clock, timers } = this.#parts
    this.#polls++
    const wasClaiming = this.#claiming
    const now = readMillis(clock)
    const { queues, tagKeys } = this.#served
    const due_at = { lte: now + IDLE_POLL * 2 }
    const waiting = { status: 'waiting', due_at, queue: { in: queues }, tag_key: { in: tagKeys } }
    // While jobs are announced, those that wait have mostly been announced too; perhaps not those of every queue.
    const isQuiet = timers.now() - this.#rungAt > QUIET || timers.now() - this.#sweptAt > SWEEP
    if (isQuiet) this.#sweptAt = timers.now()
    const ours = this.#slots.free > 0 && isQuiet ? waiting : { ...waiting, weight: 0 }
    const query = { where: { or: [{ status: 'running' }, ours] }, orderBy: [{ field: 'status' }], limit: MOST_SEEN }
    const { items } = await store.findRevised(jobsCollection, query)
    this.#polledAt = timers.now()
    const running = items.filter(({ record }) => record.status === 'running')
    const own = running.filter(({ record }) => record.worker_id === this.#record.worker_id)
    this.#held.compare(own, { isClaiming: wasClaiming || this.#claiming, isPartial: items.length === MOST_SEEN })
    const missed = items.flatMap(({ record }) => (record.status === 'waiting' ? [record] : []))
    for (const { due_at } of missed) this.#wakeAt(due_at, now)
    if (missed.length > 0 && isQuiet) this.#parts.announce?.(missed)
    const others = new Set(running.map(({ record }) => record.worker_id ?? ''))
    others.delete(this.#record.worker_id)
    this.#isClusterIdle = others.size === 0
    if (others.size > 0 && (await this.#others.takeFromGone(others))) this.#wake()
  }

  #wakeAt(dueAt: number, now: number): void {
    if (dueAt <= now) this.#wake(true)
    if (dueAt <= now || this.#dueTimes.has(dueAt)) return
    this.#dueTimes.add(dueAt)
    const wake = () => {
      this.#dueTimes.delete(dueAt)
      this.#wake(true)
    }
    this.#parts.timers.set(dueAt - now, wake, { background: true })
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
/** Number of checks between two of the roster and for jobs that no worker can run. */
const UPKEEP_EVERY = 10

function problem(error: unknown) {
  return { error: messageOf(error) }
}
