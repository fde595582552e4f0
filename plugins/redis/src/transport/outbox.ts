import { isMinionsError } from '@minions/core'
import type { Membership } from '../cluster/membership.js'
import { redisError } from '../errors.js'
import type { Answer, Frame, RequestBody } from './frame.js'

/** The outcome of a request: the answers by member. Members that are gone have not answered. */
export type Answers = ReadonlyMap<string, Answer>

interface Entry {
  readonly seq: number
  readonly to: string
  readonly frame: string
  /** When it expires, by the monotonic clock. */
  readonly expiresAt: number
  /** Called once, when Redis has it. */
  readonly onSent: () => void
  readonly resolve: (answers: Answers) => void
  readonly reject: (error: unknown) => void
  /** Members that have not answered, with the inbox it was sent to; undefined until Redis has it. */
  waitingFor: Map<string, string> | undefined
  readonly answers: Map<string, Answer>
}

export interface OutboxCounts {
  /** Messages that Redis refused, or that were not sent within their life. Their senders got an error. */
  undelivered: number
  /** Deliveries to a process that ended, or lost its connection, before it confirmed the message. */
  unconfirmed: number
  /** Resent because Redis, or a process, had lost them. */
  resent: number
}

/**
 * Requests to other members. Each is kept until all have answered it, and is resent when Redis loses it; members
 * recognise duplicates by number.
 */
export class Outbox {
  readonly counts: OutboxCounts = { undelivered: 0, unconfirmed: 0, resent: 0 }
  /** True if posts are held back, since Redis is unavailable. */
  isPaused = false
  readonly #entries = new Map<number, Entry>()
  readonly #membership: Membership
  readonly #now: () => number
  readonly #limit: number
  #seq = 0

  constructor(membership: Membership, now: () => number, limit: number) {
    this.#membership = membership
    this.#now = now
    this.#limit = limit
  }

  get size(): number {
    return this.#entries.size
  }

  /** Sends a request to all others (`*`) or to one member. Resolves when all have answered or are gone. */
  post(to: string, body: RequestBody, lifeMs: number, onSent: () => void = () => {}): Promise<Answers> {
    if (this.#entries.size >= this.#limit) {
      this.counts.undelivered++
      const text = `${this.#entries.size} messages are already waiting for delivery; wait until Redis is back, send less, or raise "maxBacklog".`
      return Promise.reject(redisError('BACKLOG_FULL', text))
    }
    const seq = ++this.#seq
    const low = this.#entries.keys().next().value ?? seq
    const frame = JSON.stringify({ from: this.#membership.id, seq, low, body } satisfies Frame)
    return new Promise((resolve, reject) => {
      const entry: Entry = {
        seq,
        to,
        frame,
        expiresAt: this.#now() + lifeMs,
        onSent,
        resolve,
        reject,
        waitingFor: undefined,
        answers: new Map(),
      }
      this.#entries.set(seq, entry)
      // Otherwise it is sent, in order, when Redis is back and all have rejoined.
      if (!this.isPaused && this.#membership.isSettled) void this.#send(entry)
    })
  }

  answered(member: string, seq: number, answer: Answer): void {
    const entry = this.#entries.get(seq)
    if (entry === undefined) return
    // It comes over another connection, and may arrive before Redis reports the receivers of the request.
    entry.answers.set(member, answer)
    entry.waitingFor?.delete(member)
    this.#settle(entry)
  }

  /** Resends what a member cannot have received because it has a new inbox, and gives up on members that are gone. */
  membersChanged(members: ReadonlyMap<string, string>): void {
    for (const entry of this.#entries.values()) {
      for (const [id, inbox] of entry.waitingFor ?? []) {
        const present = members.get(id)
        if (present === inbox) continue
        if (present === undefined) {
          // Redis may have lost them all; dead members are known only after all had time to come back.
          if (!this.#membership.isSettled) continue
          entry.waitingFor?.delete(id)
          this.counts.unconfirmed++
        } else {
          entry.waitingFor?.set(id, present)
          void this.#resend(entry, id)
        }
      }
      this.#settle(entry)
    }
  }

  /** Sends everything unanswered, in order: what Redis had, and answers in transit, may be lost. */
  resume(): void {
    if (!this.#membership.isSettled) return
    this.isPaused = false
    for (const entry of this.#entries.values()) {
      if (entry.waitingFor === undefined) void this.#send(entry)
      else for (const id of entry.waitingFor.keys()) void this.#resend(entry, id)
    }
  }

  /** Drops messages that expired while Redis was unavailable. */
  dropExpired(isAway: boolean): void {
    if (!isAway) return
    const now = this.#now()
    for (const entry of this.#entries.values()) {
      const text = 'Redis was unavailable for the whole life of the message, so it was not delivered; send it again.'
      if (entry.expiresAt <= now) this.#giveUp(entry, () => redisError('REDIS_UNREACHABLE', text))
    }
  }

  /** Ends all requests: with the answers so far, or as `CLOSED` if they were not sent. */
  close(): void {
    const closed = () => redisError('CLOSED', 'The connection to Redis was closed.')
    for (const entry of this.#entries.values()) this.#giveUp(entry, closed)
  }

  /** Ends a request: with the answers so far, or with an error if it was not sent. */
  #giveUp(entry: Entry, unsent: () => unknown): void {
    if (entry.waitingFor === undefined) {
      this.#fail(entry, unsent())
      return
    }
    this.counts.unconfirmed += entry.waitingFor.size
    entry.waitingFor.clear()
    this.#settle(entry)
  }

  async #send(entry: Entry): Promise<void> {
    try {
      const sent = await this.#membership.send(entry.to, entry.frame)
      if (sent === undefined) void this.#membership.rejoin().catch(() => {})
      else if (entry.waitingFor === undefined && this.#entries.has(entry.seq)) {
        entry.waitingFor = new Map([...sent].filter(([id]) => !entry.answers.has(id)))
        entry.onSent()
        this.#settle(entry)
      }
    } catch (error) {
      // While Redis is unavailable, posts are held back.
      if (entry.waitingFor === undefined && !redisError.is(error, 'REDIS_UNREACHABLE')) this.#fail(entry, error)
    }
  }

  async #resend(entry: Entry, id: string): Promise<void> {
    this.counts.resent++
    try {
      const sent = await this.#membership.send(id, entry.frame)
      if (sent === undefined) return void this.#membership.rejoin().catch(() => {})
      const inbox = sent.get(id)
      if (inbox !== undefined && entry.waitingFor?.has(id)) entry.waitingFor.set(id, inbox)
    } catch (error) {
      // The next heartbeat finds it unanswered; only a request that Redis never received fails.
      if (!isMinionsError(error)) throw error
    }
  }

  #fail(entry: Entry, error: unknown): void {
    if (!this.#entries.delete(entry.seq)) return
    this.counts.undelivered++
    entry.reject(error)
  }

  #settle(entry: Entry): void {
    if (entry.waitingFor?.size !== 0 || !this.#entries.delete(entry.seq)) return
    entry.resolve(entry.answers)
  }
}
