import fs, {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { defineCollection, Store, type StoreChange } from '@minions/core/storage'
import fc from 'fast-check'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeLine } from '../src/feed/line.js'
import { LineFile } from '../src/feed/line-file.js'
import { type FsStorageOptions, fsStorage } from '../src/index.js'
import { crashAt } from './crashing-fs.js'
import { filesIn, removeFolder, temporaryFolder } from './folders.js'

const notes = defineCollection({
  name: 'notes',
  version: 1,
  schema: Type.Object({ id: Type.String(), kind: Type.String(), text: Type.Optional(Type.String()) }),
  key: 'id',
  columns: { kind: { type: 'string', required: true } },
})

let root: string
beforeEach(() => {
  root = temporaryFolder()
})
afterEach(() => removeFolder(root))

const FEED = '.minions/changes'
const JOURNAL = '.minions/journal'
const open = (options: Partial<FsStorageOptions> = {}) => Store.open(fsStorage({ root, ...options }), [notes])
const note = (id: string, text?: string) => ({ id, kind: 'k', ...(text !== undefined && { text }) })

async function keysSince(store: Store, since = 'start'): Promise<unknown[]> {
  return (await store.listChanges({ since, limit: 1000 })).items.map(({ key, kind }) => `${kind} ${key}`)
}

it('has every change although the disk was full when the feed was to be written, twice', async () => {
  const store = await open()
  await store.put(notes, note('before'))
  const { writeSync } = fs
  let failures = 2
  // Only lines of the feed have numbers.
  fs.writeSync = ((file: number, bytes: Buffer, ...rest: number[]) => {
    if (failures > 0 && bytes.includes('"number":')) {
      failures -= 1
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
    }
    return (writeSync as (...values: unknown[]) => number)(file, bytes, ...rest)
  }) as typeof writeSync
  syncBuiltinESMExports()
  try {
    await store.put(notes, note('a'))
    await store.put(notes, note('b'))
  } finally {
    fs.writeSync = writeSync
    syncBuiltinESMExports()
  }
  expect(failures).toBe(0)
  const { items, cursor } = await store.listChanges({ since: 'start' })
  expect([...items.map(({ key, kind }) => `${kind} ${key}`), ...(await keysSince(store, cursor))]).toEqual([
    'put before',
    'put a',
    'put b',
  ])
  await store.close()
})

describe.each(['watch', 'scan'] as const)('edits by hand, found by %s', (detect) => {
  it('are changes, wake who follows, and are told once to several', async () => {
    const store = await open({ detect })
    const other = await open({ detect })
    await store.put(notes, note('a'))
    await store.put(notes, note('b'))
    const feeds = [store, other].map((one) => one.changes({ since: 'now' }))
    await Promise.all([store.listChanges(), other.listChanges()])
    const [a, b] = ['a', 'b'].map((id) => filesIn(root).find((path) => path.endsWith(`/${id}.json`)) ?? '') as [
      string,
      string,
    ]
    const waiting = feeds.map((feed) => feed.next())
    writeFileSync(join(root, a), JSON.stringify(note('a', 'edited')))
    const found = (await Promise.all(waiting)).map(({ value }) => value as StoreChange)
    expect(found.map(({ key, kind }) => [key, kind])).toEqual([
      ['a', 'put'],
      ['a', 'put'],
    ])
    expect(found[0]?.revision).toBe((await store.getRevised(notes, 'a'))?.revision)
    const removal = feeds.map((feed) => feed.next())
    rmSync(join(root, b))
    const gone = (await Promise.all(removal)).map(({ value }) => value as StoreChange)
    expect(gone.map(({ key, kind, columns }) => [key, kind, columns])).toEqual([
      ['b', 'delete', { kind: 'k' }],
      ['b', 'delete', { kind: 'k' }],
    ])
    await Promise.all([store.close(), other.close()])
  })
})

it('a change whose writer died before it was in the feed reaches those who follow', async () => {
  const follower = await open()
  const feed = follower.changes()
  await follower.listChanges()
  const told: unknown[] = []
  for (let n = 1; ; n++) {
    const writer = await open()
    const { calls } = await crashAt(n, async () => {
      await writer.put(notes, note(`n${n}`))
    })
    // Its lock is left behind, while its process is still there.
    rmSync(join(root, '.minions/locks'), { recursive: true, force: true })
    if ((await follower.get(notes, `n${n}`)) !== undefined) told.push((await feed.next()).value?.key)
    if (calls < n) break
  }
  const all = (await follower.listChanges({ since: 'start' })).items.map(({ key }) => key)
  expect(told.length).toBeGreaterThan(3)
  expect(told).toEqual(all)
  await follower.close()
})

it('what a power cut has damaged is written again from the journal', async () => {
  const store = await open()
  for (const id of ['a', 'b', 'c']) await store.put(notes, note(id))
  await store.close()
  const again = await open()
  for (const id of ['d', 'e', 'f']) await again.put(notes, note(id))
  const all = (await again.listChanges({ since: 'start' })).items
  const journal = readFileSync(join(root, JOURNAL), 'utf8').replace(/"boot":"[^"]*"/, '"boot":"another"')
  const flushed = readFileSync(join(root, FEED), 'utf8').split('\n').slice(0, 4).join('\n').length + 1
  await again.close()
  const damages = [
    () => truncateSync(join(root, FEED), flushed),
    () => truncateSync(join(root, FEED), flushed + 10),
    () => appendFileSync(join(root, FEED), '{"generation":7,"num'),
    () => appendFileSync(join(root, FEED), Buffer.alloc(5000)),
    () => {
      const bytes = readFileSync(join(root, FEED))
      writeFileSync(join(root, FEED), Buffer.concat([bytes.subarray(0, flushed), Buffer.alloc(bytes.length - flushed)]))
    },
  ]
  for (const damage of damages) {
    writeFileSync(join(root, JOURNAL), journal)
    damage()
    const restored = await open()
    const found = (await restored.listChanges({ since: 'start' })).items
    expect(found.map(({ key, revision }) => [key, revision])).toEqual(all.map(({ key, revision }) => [key, revision]))
    expect(await keysSince(restored, all[3]?.cursor)).toEqual(['put e', 'put f'])
    await restored.close()
  }
})

it('half a line, left by a full disk, is written over', async () => {
  const store = await open()
  await store.put(notes, note('a'))
  appendFileSync(join(root, FEED), '{"generation":99,"number":5,"at":1,"parts":[["notes",[["x"')
  expect(await keysSince(store)).toEqual(['put a'])
  await store.put(notes, note('b'))
  expect(await keysSince(store)).toEqual(['put a', 'put b'])
  const other = await open()
  expect(await keysSince(other)).toEqual(['put a', 'put b'])
  await Promise.all([store.close(), other.close()])
})

it('a feed that the journal does not go on from begins anew, and says so to whoever has read it', async () => {
  const store = await open()
  await store.put(notes, note('a'))
  const { cursor } = await store.listChanges()
  await store.put(notes, note('b'))
  await store.close()
  const feed = readFileSync(join(root, FEED), 'utf8')
  // As if an earlier version, which knows no feed, had used the folder meanwhile.
  const between = await open()
  await between.put(notes, note('c'))
  await between.close()
  writeFileSync(join(root, FEED), feed)
  const again = await open()
  await expect(again.listChanges({ since: cursor })).rejects.toMatchObject({ code: 'CHANGES_EXPIRED' })
  const now = (await again.listChanges()).cursor
  await again.put(notes, note('d'))
  expect(await keysSince(again, now)).toEqual(['put d'])
  expect(await keysSince(again)).toEqual(['put d'])
  await again.close()
  for (const name of ['index', 'journal']) rmSync(join(root, '.minions', name), { force: true })
  const taken = await open()
  await expect(taken.listChanges({ since: now })).rejects.toMatchObject({ code: 'CHANGES_EXPIRED' })
  await taken.close()
})

it('the file stays as small as what is kept, and other processes go on reading it', async () => {
  const options = { changes: { keepAtMost: 50 } }
  const store = await open(options)
  const reader = await open(options)
  const feed = reader.changes()
  await reader.listChanges()
  const seen: unknown[] = []
  let largest = 0
  for (let round = 0; round < 400; round++) {
    await store.put(notes, note(`n${round}`))
    seen.push((await feed.next()).value?.key)
    largest = Math.max(largest, statSync(join(root, FEED)).size)
  }
  expect(seen).toEqual(Array.from({ length: 400 }, (_, round) => `n${round}`))
  expect(largest).toBeLessThan(20_000)
  await Promise.all([store.close(), reader.close()])
})

it('lines are found as by reading all of them, whatever their length', () => {
  const file = join(root, 'lines')
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.constantFrom(300, 5000, 70_000)), { maxLength: 40 })
  const property = fc.property(lengths, fc.nat(60), (list, generation) => {
    const lines = list.map((length, index) => {
      const head = { generation: index * 2 + 1, number: index + 1, at: 1 }
      return encodeLine(head, [['notes', [['x'.repeat(length), 'r']]]])
    })
    writeFileSync(file, `header\n${lines.join('')}half a li`)
    const bytes = readFileSync(file)
    const whole = bytes.length - 'half a li'.length
    const found = within(file, (descriptor) => {
      const all = new LineFile(descriptor, 7, whole)
      const start = all.find((head) => head === undefined || head.generation >= generation)
      const last = new LineFile(descriptor, 7, bytes.length).last()
      return { rest: [...all.lines(start)], last: last && bytes.toString('latin1', last.start, last.end) }
    })
    const expected = lines.filter((_, index) => index * 2 + 1 >= generation).map((line) => line.slice(0, -1))
    expect(found.rest.map((line) => line.length)).toEqual(expected.map((line) => line.length))
    expect(found.rest[0]?.slice(0, 40)).toBe(expected[0]?.slice(0, 40))
    expect(found.last).toBe(lines.at(-1))
  })
  fc.assert(property, { numRuns: 200, seed: 20_260 })
})

function within<T>(path: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r')
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
