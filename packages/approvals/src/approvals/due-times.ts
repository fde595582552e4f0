import { messageOf, timestamp } from '@minions/core'
import { readMillis } from '@minions/core/plugin'
import { type Revised, unlessConflict } from '@minions/core/storage'
import { type Change, changeOf, type Journal } from './journal.js'
import { type Approval, approvalsCollection } from './record.js'
import type { ApprovalServices } from './services.js'
import { describe } from './state.js'

interface DueParts extends ApprovalServices {
  readonly journal: Journal
}

const AT_ONCE = 200
const RETRY_MS = 5000

/** Expires and escalates approvals when they are due. The first process records it; there is no polling in between. */
export class DueTimes {
  readonly #parts: DueParts
  #next = Number.POSITIVE_INFINITY
  #cancel = () => {}
  #isClosed = false
  #sweeping: Promise<void> | undefined

  constructor(parts: DueParts) {
    this.#parts = parts
  }

  note({ expires_at, escalates_at, escalated_at }: Approval): void {
    const escalates =
      escalates_at === null || escalated_at !== null ? Number.POSITIVE_INFINITY : Date.parse(escalates_at)
    this.#plan(Math.min(Date.parse(expires_at), escalates))
  }

  /** Processes what is due, and waits for what is due next. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep()
      .catch((error: unknown) => {
        if (this.#isClosed) return
        this.#parts.log.warn('approvals that are due could not be looked up', { error: messageOf(error) })
        this.#plan(readMillis(this.#parts.clock) + RETRY_MS)
      })
      .finally(() => {
        this.#sweeping = undefined
      })
    return this.#sweeping
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel()
    await this.#sweeping
  }

  async #sweep(): Promise<void> {
    const { storage, clock } = this.#parts
    this.#cancel()
    this.#next = Number.POSITIVE_INFINITY
    for (let isMore = true; isMore && !this.#isClosed; ) {
      const now = timestamp(readMillis(clock))
      const due = { where: { status: 'pending', expires_at: { lte: now } }, limit: AT_ONCE }
      const expired = (await storage.findRevised(approvalsCollection, due)).items
      for (const each of expired) await this.expire(each)
      const where = { status: 'pending', escalated_at: null, escalates_at: { lte: now } }
      const escalated = (await storage.findRevised(approvalsCollection, { where, limit: AT_ONCE })).items
      for (const each of escalated) await this.#escalate(each)
      isMore = expired.length === AT_ONCE || escalated.length === AT_ONCE
    }
    if (this.#isClosed) return
    for (const field of ['expires_at', 'escalates_at']) {
      const open = field === 'escalates_at' ? { escalated_at: null, escalates_at: { isNull: false } } : {}
      const query = { where: { status: 'pending', ...open }, orderBy: [{ field }], limit: 1 }
      const [first] = (await storage.find(approvalsCollection, query)).items
      if (first) this.note(first)
    }
  }

  /** Records that no one decided in time, unless a person did after all. */
  async expire(found: Revised<Approval>): Promise<void> {
    const { record } = found
    const message = `no one decided on ${describe(record)} before ${record.expires_at}`
    await this.#write(changeOf(found, { status: 'expired' }, { kind: 'expired', by: null, message }))
  }

  async #escalate(found: Revised<Approval>): Promise<void> {
    const { record } = found
    const escalated_at = timestamp(readMillis(this.#parts.clock))
    const message = `no one decided on ${describe(record)} yet; now ${(record.escalates_to ?? []).join(', ')} may, too`
    await this.#write(changeOf(found, { escalated_at }, { kind: 'escalated', by: null, message }))
  }

  /** Does nothing if another process was first, or a decision came in between. */
  async #write(change: Change): Promise<void> {
    await unlessConflict(this.#parts.journal.write([change]))
  }

  #plan(at: number): void {
    if (this.#isClosed || !(at < this.#next)) return
    const { timers, clock } = this.#parts
    this.#next = at
    this.#cancel()
    this.#cancel = timers.set(Math.max(0, at - readMillis(clock)), () => void this.sweep(), { background: true })
  }
}
