import { messageOf, timestamp } from '@minions/core'
import { readMillis } from '@minions/core/plugin'
import type { ApprovalServices } from '../approvals/services.js'
import { type Notice, noticesCollection } from './notices.js'
import type { ApprovalNotification, ApprovalNotifier } from './notifier.js'

interface DeliveryParts extends ApprovalServices {
  readonly notifiers: readonly ApprovalNotifier[]
}

/** Milliseconds that one attempt may take; another process may try again afterwards. */
const ATTEMPT_MS = 30_000
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 3_600_000
/** Attempts over about a day and a half. */
const MOST_ATTEMPTS = 40
const AT_ONCE = 10

/**
 * Delivers notifications: each is stored with its change and removed once its notifier accepted it, so that none is
 * lost when a process dies. Processes share the work; a notification may be delivered twice, under the same id.
 */
export class Deliveries {
  readonly #parts: DeliveryParts
  readonly #stop = new AbortController()
  #working: Promise<void> | undefined
  #again = false
  #cancel = () => {}

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  get names(): readonly string[] {
    return this.#parts.notifiers.map(({ name }) => name)
  }

  wake(): void {
    if (this.#parts.notifiers.length === 0 || this.#stop.signal.aborted) return
    if (this.#working) {
      this.#again = true
      return
    }
    this.#cancel()
    this.#working = this.#work()
      .catch((error: unknown) => {
        this.#parts.log.warn('notifications could not be read', { error: messageOf(error) })
        this.#wakeIn(FIRST_DELAY_MS)
      })
      .finally(() => {
        this.#working = undefined
        if (!this.#again) return
        this.#again = false
        this.wake()
      })
  }

  /** Resolves when everything that is due has been tried. */
  async settle(): Promise<void> {
    while (this.#working) await this.#working
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#cancel()
    await this.#working
  }

  async #work(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const taken = await this.#take()
      if (taken.length === 0) break
      await Promise.all(taken.map((notice) => this.#deliver(notice)))
    }
    if (this.#stop.signal.aborted) return
    const { storage, clock } = this.#parts
    const query = { where: this.#own(), orderBy: [{ field: 'next_at' }], limit: 1 }
    const [next] = (await storage.find(noticesCollection, query)).items
    if (next) this.#wakeIn(Math.max(0, Date.parse(next.next_at) - readMillis(clock)))
  }

  #own() {
    return { status: 'waiting', notifier: { in: [...this.names] } }
  }

  async #take(): Promise<Notice[]> {
    const { storage, clock } = this.#parts
    const at = readMillis(clock)
    const where = { ...this.#own(), next_at: { lte: timestamp(at) } }
    const query = { where, orderBy: [{ field: 'next_at' }], limit: AT_ONCE }
    const next_at = timestamp(at + 2 * ATTEMPT_MS)
    const take = (notice: Notice) => ({ ...notice, attempts: notice.attempts + 1, next_at })
    const claimed = await storage.claim(noticesCollection, query, take)
    return claimed.map(({ record }) => record)
  }

  async #deliver(notice: Notice): Promise<void> {
    const { storage, clock, log, notifiers } = this.#parts
    const notifier = notifiers.find(({ name }) => name === notice.notifier)
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ATTEMPT_MS)])
      await notifier?.notify(notificationOf(notice), { signal })
      await storage.delete(noticesCollection, notice.notice_id)
    } catch (thrown) {
      // A closing process leaves the rest to others, or to its next start.
      const isClosing = this.#stop.signal.aborted
      const error = messageOf(thrown).slice(0, 1000)
      const status = notice.attempts >= MOST_ATTEMPTS ? ('failed' as const) : ('waiting' as const)
      const delay = isClosing ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (notice.attempts - 1))
      const { approval_id } = notice.approval
      log.warn('a notification was not delivered', { notifier: notice.notifier, approval_id, error })
      await storage.put(noticesCollection, { ...notice, status, error, next_at: timestamp(readMillis(clock) + delay) })
    }
  }

  #wakeIn(milliseconds: number): void {
    this.#cancel()
    this.#cancel = this.#parts.timers.set(milliseconds, () => this.wake(), { background: true })
  }
}

function notificationOf({ notice_id, event, approval }: Notice): ApprovalNotification {
  const { kind, at, by } = event
  return { id: notice_id, event: kind as ApprovalNotification['event'], at, by, approval }
}
