import { generateId, type MinionsError, messageOf, timestamp } from '@minions/core'
import { readMillis } from '@minions/core/plugin'
import {
  type Expectation,
  isStore,
  type Revised,
  type StoreAccess,
  type StoreTransaction,
  WriteBatch,
} from '@minions/core/storage'
import type { ApprovalsErrorCode } from '../errors.js'
import { noticesCollection } from '../notify/notices.js'
import type { Auditor } from './auditor.js'
import { type Approval, type ApprovalEvent, approvalEventsCollection, approvalsCollection } from './record.js'
import type { ApprovalServices } from './services.js'

export interface Change {
  readonly approval: Approval
  readonly expect: Expectation
  readonly kind: ApprovalEvent['kind']
  readonly by: string | null
  readonly message: string
}

/** The change of an approval that was read, if it has not changed since. */
export function changeOf(
  { record, revision }: Revised<Approval>,
  patch: Partial<Approval>,
  what: Pick<Change, 'kind' | 'by' | 'message'>,
): Change {
  return { approval: { ...record, ...patch, changes: record.changes + 1 }, expect: { ifRevision: revision }, ...what }
}

interface JournalParts extends ApprovalServices {
  readonly audit: Auditor
  readonly notifiers: readonly string[]
  /** Called after a write that a person must be notified of. */
  readonly onNotices: () => void
}

/** Writes approvals: each change with its event and notifications, all or nothing. */
export class Journal {
  readonly #parts: JournalParts
  /** Refusals inside a transaction, by their error; they are recorded when the transaction has ended. */
  readonly #unrecorded = new WeakMap<object, () => Promise<void>>()

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Writes changes together. Throws `CONFLICT` if one of them finds an unexpected state; then nothing is written. */
  async write(changes: readonly Change[], storage: StoreAccess = this.#parts.storage): Promise<void> {
    const { notifiers, onNotices, audit } = this.#parts
    const at = this.#now()
    const batch = new WriteBatch()
    for (const { approval, expect, kind, by, message } of changes) {
      const event = eventOf(approval, { kind, at, by, code: null, message })
      batch.put(approvalsCollection, approval, expect)
      batch.put(approvalEventsCollection, event)
      for (const notifier of notifiers) {
        const notice = { notice_id: generateId(), notifier, event, approval, attempts: 0, next_at: at, error: null }
        batch.put(noticesCollection, { ...notice, status: 'waiting' })
      }
    }
    await storage.write(batch)
    if (notifiers.length > 0) afterCommit(storage, onNotices)
    for (const { approval, kind, by, message } of changes) {
      if (kind === 'approved' || kind === 'edited' || kind === 'rejected') {
        await audit({ id: approval.approval_id, kind: 'decided', at, by: by ?? undefined, message })
      }
    }
  }

  /** Records a refused attempt. Refusals in a transaction are recorded by `recordRefusal` once it has ended. */
  async refused(
    approval: Approval,
    by: string | null,
    error: MinionsError<ApprovalsErrorCode | 'NOT_FOUND'>,
    inTransaction = false,
  ): Promise<void> {
    if (inTransaction) {
      this.#unrecorded.set(error, () => this.refused(approval, by, error))
      return
    }
    const { storage, audit, log } = this.#parts
    const { approval_id, changes } = approval
    const { code, message } = error
    const at = this.#now()
    try {
      const event = eventOf(approval, { kind: 'refused', at, by, code, message })
      await storage.put(approvalEventsCollection, { ...event, number: changes + 1 })
      await audit({ id: approval_id, kind: 'refused', at, by: by ?? undefined, code, message })
    } catch (failure) {
      // Refusing matters more than recording it.
      log.error('a refusal could not be recorded', { approval_id, error: messageOf(failure) })
    }
  }

  /** Records the refusal behind an error that ended a transaction. */
  async recordRefusal(error: unknown): Promise<void> {
    if (typeof error === 'object' && error !== null) await this.#unrecorded.get(error)?.()
  }

  #now(): string {
    return timestamp(readMillis(this.#parts.clock))
  }
}

/** Writes of a transaction can be read once it is committed. */
function afterCommit(storage: StoreAccess, callback: () => void): void {
  if (isStore(storage)) callback()
  else (storage as StoreTransaction).afterCommit(callback)
}

let count = 0

function eventOf(
  { approval_id, changes }: Approval,
  event: Pick<ApprovalEvent, 'kind' | 'at' | 'by' | 'code' | 'message'>,
): ApprovalEvent {
  count += 1
  // Simultaneous events are in the order in which they were recorded.
  const event_id = `${String(count).padStart(10, '0')}-${generateId()}`
  return { event_id, approval_id, number: changes, ...event, message: event.message.slice(0, 2000) }
}
