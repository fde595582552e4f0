import { coreError } from '@minions/core'
import { Store, type StoreChange, WriteBatch } from '@minions/core/storage'
import { expect } from 'vitest'
import { feedCases } from '../case.js'
import { settle } from '../failure.js'
import { pause, times } from '../times.js'
import { plain, things } from './collections.js'

const WRITERS = 6
const ROUNDS = 30
const IDS = ['a', 'b', 'c'] as const
const IDS_IN_BATCHES = ['d', 'e'] as const

/** The committed changes: each outcome of a record, with its previous revision. */
type Committed = Map<string, string | undefined>

/** The change feed under concurrent writes. */
export const changesConcurrent = feedCases('changes of many writers', [plain, things], {
  'none is missing, none is repeated, and those of a record are in order': async (store, context) => {
    const stores = [store]
    if (context.canConnect) stores.push(await Store.open(await context.connect(), [plain, things]))
    const feed = stores.at(-1) as Store
    const { cursor } = await feed.listChanges()
    const committed: Committed = new Map()
    const reading = readUntil(feed, cursor)
    await Promise.all(times(WRITERS, (writer) => write(stores[writer % stores.length] as Store, writer, committed)))
    await store.put(things, { id: 'end' })
    const seen = await reading
    expect(new Set(seen.map(({ cursor: own }) => own)).size).toBe(seen.length)
    checkHistories(seen, committed)
  },

  'a reader that restarts after every change sees the same': async (store) => {
    const { cursor: start } = await store.listChanges()
    const committed: Committed = new Map()
    const writing = Promise.all(times(WRITERS, (writer) => write(store, writer, committed)))
    let isOver = false
    writing.finally(() => {
      isOver = true
    })
    const seen: StoreChange[] = []
    for (let cursor = start, isLast = false; ; ) {
      const { items } = await store.listChanges({ since: cursor, limit: 1 + (seen.length % 5) })
      const [first] = items
      if (first) {
        seen.push(first)
        cursor = first.cursor
      } else if (isLast) break
      else await pause()
      isLast = isOver
    }
    await writing
    checkHistories(seen, committed)
  },
})

/** Creates, replaces and removes a few records that the others write too; some writers use batches. */
async function write(store: Store, writer: number, committed: Committed): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const ids = writer % 3 === 2 ? IDS_IN_BATCHES : IDS
    const attempt = { id: ids[(writer + round) % ids.length] as string, writer, round }
    const outcomes = await (ids === IDS ? writeTransaction(store, attempt) : writeBatch(store, attempt))
    for (const [outcome, previous] of outcomes) committed.set(outcome, previous)
  }
}

interface Attempt {
  readonly id: string
  readonly writer: number
  readonly round: number
}

type Outcomes = readonly (readonly [outcome: string, previous: string | undefined])[]

function writeTransaction(store: Store, { id, writer, round }: Attempt): Promise<Outcomes> {
  return store.transaction(async (tx) => {
    // Another record first, so that transactions overlap before they meet.
    const before = await tx.getRevised(plain, `own${writer}`)
    const own = await tx.put(plain, { id: `own${writer}`, round })
    const previous = await tx.getRevised(things, id)
    await pause()
    const removes = previous && (round + writer) % 3 === 0
    if (removes) await tx.delete(things, id)
    const shared = removes ? `delete ${previous.revision}` : `put ${await tx.put(things, { id, writer, round })}`
    return [
      [`put ${own}`, before?.revision],
      [shared, previous?.revision],
    ]
  })
}

async function writeBatch(store: Store, { id, writer, round }: Attempt): Promise<Outcomes> {
  for (;;) {
    const before = await store.getRevised(plain, `own${writer}`)
    const previous = await store.getRevised(things, id)
    const batch = new WriteBatch()
    const own = batch.put(plain, { id: `own${writer}`, round })
    const removes = previous && (round + writer) % 3 === 0
    const expect = previous ? { ifRevision: previous.revision } : ({ ifAbsent: true } as const)
    if (removes) batch.delete(things, id, { ifRevision: previous.revision })
    const shared = removes ? `delete ${previous.revision}` : `put ${batch.put(things, { id, writer, round }, expect)}`
    const outcome = await settle(store.write(batch))
    if (!('error' in outcome)) {
      return [
        [`put ${own}`, before?.revision],
        [shared, previous?.revision],
      ]
    }
    if (!coreError.is(outcome.error, 'CONFLICT')) throw outcome.error
    await pause()
  }
}

async function readUntil(store: Store, since: string): Promise<StoreChange[]> {
  const seen: StoreChange[] = []
  for await (const change of store.changes({ since })) {
    if (change.key === 'end') break
    seen.push(change)
  }
  return seen
}

/** Every committed change was seen, and each change of a record after the one it followed. */
function checkHistories(seen: readonly StoreChange[], committed: Committed): void {
  const outcomes = seen.map(({ kind, revision }) => `${kind} ${revision}`)
  expect([...outcomes].sort()).toEqual([...committed.keys()].sort())
  const current = new Map<string, string>()
  for (const [index, { collection, key, kind, revision }] of seen.entries()) {
    const record = `${collection} ${key}`
    expect(current.get(record), `change ${index} of ${record}`).toBe(committed.get(outcomes[index] as string))
    if (kind === 'put') current.set(record, revision)
    else current.delete(record)
  }
}
