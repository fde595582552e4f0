import { join } from 'node:path'
import { defineCollection, Store, WriteBatch } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canTrace, countFlushes } from '../../../tools/torture/flushes.mjs'
import { fsStorage } from '../src/index.js'
import { removeFolder, temporaryFolder } from './folders.js'
import { type RecordedCall, recordCalls } from './recording-fs.js'

const items = defineCollection({
  name: 'items',
  version: 1,
  schema: Type.Object({ id: Type.String(), value: Type.Integer() }),
  key: 'id',
})

let root: string
beforeEach(() => {
  root = temporaryFolder()
})
afterEach(() => removeFolder(root))

const needsProc = { meta: { needs: '/proc: Linux' } }
const needsTrace = { timeout: 60_000, meta: { needs: 'strace: install it, and let processes be traced' } }

const isOfJournal = ({ path }: RecordedCall) => path.endsWith('/.minions/journal')
const isFlush = ({ name }: RecordedCall) => name === 'fdatasyncSync' || name === 'fsyncSync'

/** Positions of the calls for which something holds. */
function positions(calls: readonly RecordedCall[], holds: (call: RecordedCall) => boolean): number[] {
  return [...calls.keys()].filter((index) => holds(calls[index] as RecordedCall))
}

describe.skipIf(process.platform !== 'linux')('a commit', needsProc, () => {
  const batch = () => {
    const created = new WriteBatch()
    created.put(items, { id: 'a', value: 2 })
    return created
  }
  const ways: Record<string, (store: Store) => Promise<unknown>> = {
    'a put': (store) => store.put(items, { id: 'a', value: 2 }),
    'a batch': (store) => store.write(batch()),
    'a delete': (store) => store.delete(items, 'a'),
    'a transaction': (store) => store.transaction((tx) => tx.putMany(items, [{ id: 'a', value: 2 }])),
    'many at once': (store) =>
      Promise.all(Array.from({ length: 20 }, (_, value) => store.put(items, { id: `a${value % 7}`, value }))),
  }

  it.each(Object.keys(ways))('is flushed when it is acknowledged, before its files are touched: %s', async (way) => {
    const store = await Store.open(fsStorage({ root }), [items])
    await store.put(items, { id: 'a', value: 1 })
    const calls = await recordCalls(() => ways[way]?.(store) as Promise<unknown>)
    const [written = -1] = positions(calls, (call) => isOfJournal(call) && call.name === 'writeSync')
    const flushed = positions(calls, (call) => isOfJournal(call) && isFlush(call))
    const [changed = calls.length] = positions(calls, ({ path }) => path.includes('/items/'))
    expect(written).toBeGreaterThanOrEqual(0)
    expect(flushed).toHaveLength(1)
    expect(flushed[0]).toBeGreaterThan(written)
    expect(changed).toBeGreaterThan(flushed[0] as number)
    expect(changed).toBeLessThan(calls.length)
    await store.close()
  })

  it('is in flushed files before the journal is cut back', async () => {
    const store = await Store.open(fsStorage({ root }), [items])
    await store.put(items, { id: 'a', value: 1 })
    const calls = await recordCalls(() => store.close())
    const index = positions(calls, ({ name, path }) => name === 'renameSync' && path.endsWith('/.minions/index'))
    const journal = positions(calls, (call) => isOfJournal(call) && call.name === 'renameSync')
    const feed = positions(calls, (call) => isFlush(call) && call.path.endsWith('/.minions/changes'))
    const drafts = positions(calls, (call) => isFlush(call) && call.path.includes('/.minions/tmp/'))
    expect([index, journal, feed]).toEqual([[expect.any(Number)], [expect.any(Number)], [expect.any(Number)]])
    expect(feed[0]).toBeLessThan(index[0] as number)
    expect(index[0]).toBeLessThan(journal[0] as number)
    expect(drafts.filter((position) => position < (index[0] as number))).toHaveLength(1)
    expect(drafts.filter((position) => position < (journal[0] as number))).toHaveLength(2)
  })
})

it.skipIf(!canTrace())(
  'flushes every create before it is acknowledged, and many at once together',
  needsTrace,
  async () => {
    const backend = { package: 'storage-fs', factory: 'fsStorage', options: { root: join(root, 'store') } }
    const { inTurn, together } = await countFlushes(backend, { inTurn: 10, together: 64 })
    expect(inTurn).toBeGreaterThanOrEqual(10)
    expect(together).toBeGreaterThanOrEqual(1)
    expect(together).toBeLessThan(16)
  },
)
