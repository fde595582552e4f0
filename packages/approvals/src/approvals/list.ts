import { MinionsError, type Page, timestamp } from '@minions/core'
import type { StoreReader } from '@minions/core/storage'
import { type Approval, type ApprovalStatus, approvalsCollection } from './record.js'
import { present } from './state.js'

export interface ApprovalFilter {
  /** Only those of this tenant. */
  readonly tenant?: string | undefined
  readonly status?: ApprovalStatus | undefined
  readonly mission?: string | undefined
  /** Most approvals in a page; 100 unless given. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

/** A page of approvals, those that were asked for first come first. */
export async function listApprovals(
  storage: StoreReader,
  { tenant, status, mission, limit, cursor }: ApprovalFilter,
  millis: number,
): Promise<Page<Approval>> {
  // All pages are of one moment, or those whose time is over meanwhile would make another query of it.
  const from = cursor === undefined ? { now: timestamp(millis), cursor: undefined } : decode(cursor)
  const page = await storage.find(approvalsCollection, {
    where: {
      ...(tenant !== undefined && { tenant_id: tenant }),
      ...(mission !== undefined && { 'call.mission_id': mission }),
      ...(status !== undefined && statusIs(status, from.now)),
    },
    ...(limit !== undefined && { limit }),
    ...(from.cursor !== undefined && { cursor: from.cursor }),
  })
  const items = page.items.map((each) => present(each, Date.parse(from.now)))
  return { items, nextCursor: page.nextCursor === undefined ? undefined : encode(from.now, page.nextCursor) }
}

function statusIs(status: ApprovalStatus, now: string) {
  switch (status) {
    case 'pending':
      return { status, expires_at: { gt: now } }
    case 'approved':
      return { status, valid_until: { gt: now } }
    case 'expired':
      return {
        or: [
          { status },
          { status: 'pending', expires_at: { lte: now } },
          { status: 'approved', valid_until: { lte: now } },
        ],
      }
    default:
      return { status }
  }
}

function encode(now: string, cursor: string): string {
  return Buffer.from(JSON.stringify([now, cursor])).toString('base64url')
}

function decode(text: string): { readonly now: string; readonly cursor: string } {
  try {
    const [now, cursor] = JSON.parse(Buffer.from(String(text), 'base64url').toString()) as unknown[]
    if (typeof now === 'string' && typeof cursor === 'string' && !Number.isNaN(Date.parse(now))) return { now, cursor }
  } catch {
    // It is told below.
  }
  throw new MinionsError('INVALID_CURSOR', 'The cursor is damaged or belongs to another list; begin without one.')
}
