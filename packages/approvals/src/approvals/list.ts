import { MinionsError, type Page, timestamp } from '@minions/core'
import type { StoreReader } from '@minions/core/storage'
import { type Approval, type ApprovalStatus, approvalsCollection } from './record.js'
import { present } from './state.js'

export interface ApprovalFilter {
  /** Only those of this tenant. */
  readonly tenant?: string | undefined
  readonly status?: ApprovalStatus | undefined
  readonly mission?: string | undefined
  /** Maximum number of approvals in a page; 100 by default. */
  readonly limit?: number | undefined
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}

const PAGE = 100

export async function listApprovals(
  storage: StoreReader,
  { tenant, status, mission, limit = PAGE, cursor }: ApprovalFilter,
  millis: number,
): Promise<Page<Approval>> {
  // All pages refer to one moment; otherwise approvals that expire in between would change the query.
  const from = cursor === undefined ? { now: timestamp(millis), cursor: undefined } : decode(cursor)
  const at = Date.parse(from.now)
  const where = {
    ...(tenant !== undefined && { tenant_id: tenant }),
    ...(mission !== undefined && { 'call.mission_id': mission }),
    ...(status !== undefined && statusIs(status, from.now)),
  }
  const items: Approval[] = []
  let next = from.cursor
  do {
    const rest = limit - items.length
    const page = await storage.find(approvalsCollection, {
      where,
      limit: rest,
      ...(next !== undefined && { cursor: next }),
    })
    for (const each of page.items) {
      const shown = present(each, at)
      if (status === undefined || shown.status === status) items.push(shown)
    }
    next = page.nextCursor
  } while (next !== undefined && items.length < limit)
  return { items, nextCursor: next === undefined ? undefined : encode(from.now, next) }
}

/**
 * The stored status for a requested one. Some pending and approved records may have expired, which is checked when they
 * are read: with the time in the query, a database would filter by it and sort all matches for each page.
 */
function statusIs(status: ApprovalStatus, now: string) {
  if (status !== 'expired') return { status }
  return {
    or: [
      { status },
      { status: 'pending', expires_at: { lte: now } },
      { status: 'approved', valid_until: { lte: now } },
    ],
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
  throw new MinionsError('INVALID_CURSOR', 'The cursor is malformed or belongs to another list; start without one.')
}
