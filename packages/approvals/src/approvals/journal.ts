import { type Clock, generateId, messageOf, timestamp } from '@minions/core'
import { type AuditTrail, type Logger, readMillis } from '@minions/core/plugin'
import { type Expectation, type StoreAccess, type StoreTransaction, WriteBatch } from '@minions/core/storage'
import type { ApprovalsErrorCode } from '../errors.js'
import { noticesCollection } from '../notify/notices.js'
import { type Approval, type ApprovalEvent, approvalEventsCollection, approvalsCollection } from './record.js'

/** A new state of an approval, and what caused it. */
export interface Change {
  readonly approval: Approval
  readonly expect: Expectation
  readonly kind: ApprovalEvent['kind']
  readonly by: string | null
  readonly message: string
}

interface JournalParts {
  readonly storage: StoreAccess
  readonly clock: Clock
  readonly log: Logger
  readonly audit: AuditTrail | undefined
  /** Names of those who are told. */
  readonly notifiers: readonly string[]
  /** Called after something was written that a person is to be told of. */
  readonly onNotices: () => void
}

/** Writes approvals: each change with the event that tells of it and the notifications of it, all or nothing. */
export class Journal {
  readonly #parts: JournalParts

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  /** Writes changes together. Throws `CONFLICT` when one of them does not find what it expects; then nothing is written. */
  async write(changes: readonly Change[], storage: StoreAccess = this.#parts.storage): Promise<void> {
    const { notifiers, onNotices } = this.#parts
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
        await this.#audit({ id: approval.approval_id, kind: 'decided', at, by: by ?? undefined, message })
      }
    }
  }

  /** Records an attempt that was refused. */
  async refused(
    approval: Approval,
    by: string | null,
    code: ApprovalsErrorCode | 'NOT_FOUND',
    message: string,
  ): Promise<void> {
    const at = this.#now()
    try {
      await this.#parts.storage.put(approvalEventsCollection, {
        ...eventOf(approval, { kind: 'refused', at, by, code, message }),
        number: approval.changes + 1,
      })
      await this.#audit({ id: approval.approval_id, kind: 'refused', at, by: by ?? undefined, code, message })
    } catch (error) {
      // Refusing matters more than recording it.
      this.#parts.log.error('a refusal could not be recorded', {
        approval_id: approval.approval_id,
        error: messageOf(error),
      })
    }
  }

  async #audit(note: Parameters<AuditTrail['record']>[0]): Promise<void> {
    try {
      await this.#parts.audit?.record(note)
    } catch (error) {
      this.#parts.log.error('the audit log could not be written', { approval_id: note.id, error: messageOf(error) })
    }
  }

  #now(): string {
    return timestamp(readMillis(this.#parts.clock))
  }
}

/** What a transaction writes can be read once it is committed. */
function afterCommit(storage: StoreAccess, callback: () => void): void {
  if ('afterCommit' in storage) (storage as StoreTransaction).afterCommit(callback)
  else callback()
}

let count = 0

/** Events of one moment come in the order in which they were recorded. */
function nextEventId(): string {
  count += 1
  return `${String(count).padStart(10, '0')}-${generateId()}`
}

function eventOf(
  { approval_id, changes }: Approval,
  event: Pick<ApprovalEvent, 'kind' | 'at' | 'by' | 'code' | 'message'>,
): ApprovalEvent {
  return { event_id: nextEventId(), approval_id, number: changes, ...event, message: event.message.slice(0, 2000) }
}
