import {
  type ChangesRequest,
  changesExpired,
  type StorageChange,
  type StorageChangePage,
  toChange,
} from '@minions/core/storage'
import type { Executor } from '../executor.js'
import { type FeedRow, type Glance, glance, glanceText } from './glance.js'
import { BEGINNING, type FeedPosition, formatPosition, parsePosition, type RowPosition } from './position.js'

/** Number of rows per read; each may hold many changes. */
const MOST_ROWS = 100

export type ReadFeed = (request: ChangesRequest) => Promise<StorageChangePage>

/** Prepares to read the change feed of a store. */
export function readFeed(executor: Executor, schema: string): ReadFeed {
  const text = glanceText(schema)
  return async function read(request: ChangesRequest): Promise<StorageChangePage> {
    const { since, collections, limit } = request
    const isPosition = since !== 'now' && since !== 'start'
    const from = isPosition ? parsePosition(since) : BEGINNING
    const most = since === 'now' ? 0 : Math.min(limit, MOST_ROWS)
    const seen = await glance(executor, text, from, collections, most)
    if (since === 'now') return { changes: [], position: formatPosition(endOf(seen)), more: false }
    if (isPosition) requirePosition(from, seen)
    const page = new PageMaker(from, seen, limit, most).page()
    // The last late row was read before, so the page begins after it.
    return page.changes.length === 0 && page.more ? read({ ...request, since: page.position }) : page
  }
}

/** Assembles a page in an order that preserves that of every record. */
class PageMaker {
  readonly #from: FeedPosition
  readonly #glance: Glance
  readonly #limit: number
  readonly #mostRows: number
  readonly #changes: StorageChange[] = []

  constructor(from: FeedPosition, seen: Glance, limit: number, mostRows: number) {
    this.#from = from
    this.#glance = seen
    this.#limit = limit
    this.#mostRows = mostRows
  }

  /** Late rows come first, and all of them, because the rest may build on them. */
  page(): StorageChangePage {
    const { late } = this.#from
    const rows = this.#glance.late
    for (const row of rows) {
      if (this.#add(row, behind(late?.seen, row), (seen) => this.#lateAt(seen))) return this.#end(undefined, true)
    }
    const last = rows.at(-1)
    if (last && rows.length > this.#mostRows) return this.#end(this.#lateAt({ seq: last.seq }), true)
    if (late) return this.#end({ ...this.#withoutLate(), snapshot: late.until }, true)
    return this.#fresh()
  }

  #fresh(): StorageChangePage {
    const { snapshot, rows } = this.#glance
    const wanted = rows.filter(({ seq }) => seq !== this.#from.seen.seq || this.#from.seen.index !== undefined)
    for (const row of wanted) {
      const positionAt = (seen: RowPosition) => ({ seen, writer: row.xid, snapshot })
      if (this.#add(row, behind(this.#from.seen, row), positionAt)) return this.#end(undefined, true)
    }
    const last = rows.at(-1)
    if (last && rows.length > this.#mostRows) {
      return this.#end({ seen: { seq: last.seq }, writer: last.xid, snapshot }, true)
    }
    return this.#end(this.#isAtEnd ? this.#from : endOf(this.#glance), false)
  }

  /** Nothing was found: the position stays the same, so that a reader can tell. */
  get #isAtEnd(): boolean {
    const { seen } = this.#from
    return this.#changes.length === 0 && seen.index === undefined && (this.#glance.newest?.seq ?? 0n) === seen.seq
  }

  /** Adds the changes of a row starting at an index; true when the page is full. */
  #add(row: FeedRow, start: number, positionAt: (seen: RowPosition) => FeedPosition): boolean {
    for (let index = start; index < row.entries.length; index++) {
      const isLast = index === row.entries.length - 1
      const position = positionAt(isLast ? { seq: row.seq } : { seq: row.seq, index })
      this.#changes.push(toChange(row, index, formatPosition(position)))
      if (this.#changes.length === this.#limit) return true
    }
    return false
  }

  #lateAt(seen: RowPosition): FeedPosition {
    return { ...this.#from, late: { until: this.#from.late?.until ?? this.#glance.snapshot, seen } }
  }

  #withoutLate(): FeedPosition {
    const { seen, writer, snapshot } = this.#from
    return { seen, writer, snapshot }
  }

  /** The page ends at a position, or after its last change. */
  #end(position: FeedPosition | undefined, more: boolean): StorageChangePage {
    const text = position ? formatPosition(position) : (this.#changes.at(-1) as StorageChange).position
    return { changes: this.#changes, position: text, more }
  }
}

/** After everything that was committed at the moment of a read. */
function endOf({ newest, snapshot }: Glance): FeedPosition {
  return newest ? { seen: { seq: newest.seq }, writer: newest.xid, snapshot } : BEGINNING
}

/** The index in a row at which a reader continues from a position. */
function behind(position: RowPosition | undefined, { seq, entries }: FeedRow): number {
  if (position?.seq !== seq) return 0
  return position.index === undefined ? entries.length : position.index + 1
}

/** The feed can continue from a position only if it still has its row, and has removed nothing after it. */
function requirePosition({ seen, writer, snapshot }: FeedPosition, now: Glance): void {
  const { removed, newest, rows } = now
  if (seen.seq === 0n) {
    if (removed !== undefined) throw changesExpired('removed')
    return
  }
  const [row] = rows
  if (row?.seq !== seen.seq) throw changesExpired(newest && newest.seq > seen.seq ? 'removed' : 'replaced')
  if (row.xid !== writer) throw changesExpired('replaced')
  if (removed === undefined) return
  const hasEnded = (xid: string) => !now.snapshot.running.includes(xid)
  const isLost = snapshot.running.some((xid) => BigInt(xid) <= removed && hasEnded(xid))
  if (isLost || removed >= snapshot.xmax) throw changesExpired('removed')
}
