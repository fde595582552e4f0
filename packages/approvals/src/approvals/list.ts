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
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}

const PAGE = 100

/** A page of approvals, those that were asked for first come first. */
export async function listApprovals(
  storage: StoreReader,
  { tenant, status, mission, limit = PAGE, cursor }: ApprovalFilter,
  millis: number,
): Promise<Page<Approval>> {
  // All pages are of one moment, or those whose time is over meanwhile would make another query of it.
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
 * What is stored of those that stand there now. Of pending and approved ones a few may be over, which is seen when they are
 * read: were their time part of the query, a database would look for that and sort what it finds, all of it for each page.
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
  throw new MinionsError('INVALID_CURSOR', 'The cursor is damaged or belongs to another list; begin without one.')
}
