import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { defineCollection, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fsStorage } from '../src/index.js'
import { crashAt } from './crashing-fs.js'
import { filesIn, removeFolder, temporaryFolder } from './folders.js'

const items = defineCollection({
  name: 'items',
  version: 1,
  schema: Type.Object({ id: Type.String(), value: Type.Integer() }),
  key: 'id',
})
const others = defineCollection({ ...definitionOf('others'), version: 1 })
const newerOthers = defineCollection({
  ...definitionOf('others'),
  version: 2,
  upgrades: { 1: (record) => ({ ...record, value: Number(record.value) + 1000 }) },
})

function definitionOf(name: string) {
  return { name, schema: Type.Object({ id: Type.String(), value: Type.Integer() }), key: 'id' } as const
}

/** `MINIONS_KILLS=200` tries every point. */
const thorough = Number(process.env.MINIONS_KILLS ?? 0) >= 200

let base: string
let count = 0

beforeEach(() => {
  base = temporaryFolder()
})

afterEach(() => removeFolder(base))

const open = (root: string) => Store.open(fsStorage({ root }), [items, others])

/** The lock of a process that died is removed by whoever comes next; here the process is still there. */
function removeLocks(root: string): void {
  rmSync(join(root, '.minions/locks'), { recursive: true, force: true })
}

async function contents(store: Store): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const collection of [items, others] as const) {
    for await (const { record } of store.iterate(collection)) found[`${collection.name}/${record.id}`] = record.value
  }
  return found
}

/** The files and the change feed say what the store says, and nothing is lying about. */
async function expectConsistent(root: string, store: Store): Promise<Record<string, number>> {
  const found = await contents(store)
  expect(await revisionsByFeed(store)).toEqual(await revisions(store))
  const onDisk: Record<string, number> = {}
  for (const path of filesIn(root).filter((file) => file.endsWith('.json'))) {
    const { id, value } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    onDisk[`${path.split('/')[0]}/${id}`] = value
  }
  expect(onDisk).toEqual(found)
  expect(await store.problems()).toEqual([])
  expect(readdirSync(join(root, '.minions/tmp'))).toEqual([])
  return found
}

async function revisions(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const collection of [items, others] as const) {
    for await (const { record, revision } of store.iterate(collection)) {
      found.set(`${collection.name}/${record.id}`, revision)
    }
  }
  return found
}

/** The records that the feed leads to, which tells no change twice. */
async function revisionsByFeed(store: Store): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const changes = (await store.listChanges({ since: 'start', limit: 1000 })).items
  expect(new Set(changes.map(({ kind, revision }) => `${kind} ${revision}`)).size).toBe(changes.length)
  for (const { collection, key, kind, revision } of changes) {
    if (kind === 'put') found.set(`${collection}/${key}`, revision)
    else expect(found.delete(`${collection}/${key}`)).toBe(true)
  }
  return found
}

const before = { 'items/a': 1, 'items/b': 1, 'items/gone': 1, 'others/a': 1 }
const after = { 'items/a': 2, 'items/b': 2, 'items/new': 2, 'others/a': 2, 'others/c': 2 }

async function prepare(): Promise<string> {
  count += 1
  const root = join(base, `store${count}`)
  const store = await open(root)
  await store.transaction(async (tx) => {
    await tx.putMany(items, [
      { id: 'a', value: 1 },
      { id: 'b', value: 1 },
      { id: 'gone', value: 1 },
    ])
    await tx.put(others, { id: 'a', value: 1 })
  })
  await store.close()
  return root
}

/** Opens, changes everything in one transaction, closes, and says whether the transaction was acknowledged. */
async function change(root: string, note: { acknowledged: boolean }): Promise<void> {
  const store = await open(root)
  await store.transaction(async (tx) => {
    await tx.putMany(items, [
      { id: 'a', value: 2 },
      { id: 'b', value: 2 },
      { id: 'new', value: 2 },
    ])
    await tx.putMany(others, [
      { id: 'a', value: 2 },
      { id: 'c', value: 2 },
    ])
    await tx.delete(items, 'gone')
  })
  note.acknowledged = true
  await store.close()
}

it('has all of a transaction or nothing of it, wherever the process dies', async () => {
  let committed = 0
  let undone = 0
  for (let n = 1; ; n++) {
    const root = await prepare()
    const note = { acknowledged: false }
    const { calls } = await crashAt(n, () => change(root, note))
    if (calls < n) break
    removeLocks(root)
    const store = await open(root)
    const found = await expectConsistent(root, store)
    if (note.acknowledged) expect(found).toEqual(after)
    else expect([before, after], `crash ${n}`).toContainEqual(found)
    if ('items/new' in found) committed += 1
    else undone += 1
    await store.put(items, { id: 'z', value: 3 })
    await store.close()
    const again = await open(root)
    expect(await expectConsistent(root, again)).toEqual({ ...found, 'items/z': 3 })
    await again.close()
  }
  expect(committed).toBeGreaterThan(10)
  expect(undone).toBeGreaterThan(2)
}, 120_000)

/** What three transactions leave, one after another. */
const steps = [
  before,
  { ...before, 'items/a': 2, 'items/new': 2 },
  { 'items/a': 3, 'items/b': 1, 'items/new': 2, 'others/a': 1 },
  { 'items/a': 3, 'items/b': 1, 'others/a': 1, 'others/c': 2 },
]

/** Opens and runs three transactions that share a commit; `acknowledged` counts them. */
async function changeTogether(root: string, note: { acknowledged: number }): Promise<void> {
  const store = await open(root)
  const works: Parameters<Store['transaction']>[0][] = [
    async (tx) => {
      await tx.putMany(items, [
        { id: 'a', value: 2 },
        { id: 'new', value: 2 },
      ])
    },
    async (tx) => {
      const a = await tx.get(items, 'a')
      await tx.put(items, { id: 'a', value: (a?.value ?? 0) + 1 })
      await tx.delete(items, 'gone')
    },
    async (tx) => {
      await tx.delete(items, 'new')
      await tx.put(others, { id: 'c', value: 2 })
    },
  ]
  const run = async (work: Parameters<Store['transaction']>[0]) => {
    await store.transaction(work)
    note.acknowledged += 1
  }
  const outcomes = await Promise.allSettled(works.map(run))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  await store.close()
}

it('has the first of transactions that share a commit, each whole, wherever the process dies', async () => {
  const found = new Set<number>()
  for (let n = 1; ; n++) {
    const root = await prepare()
    const note = { acknowledged: 0 }
    const { calls } = await crashAt(n, () => changeTogether(root, note))
    if (calls < n) break
    removeLocks(root)
    const store = await open(root)
    const contents = await expectConsistent(root, store)
    const step = steps.findIndex((each) => isDeepStrictEqual(each, contents))
    expect(step, `crash ${n}: ${JSON.stringify(contents)}`).toBeGreaterThanOrEqual(note.acknowledged)
    found.add(step)
    await store.close()
  }
  expect([...found]).toEqual(expect.arrayContaining([0, 1, 3]))
}, 120_000)

it('gives an older store its feed, wherever the process dies that opens it', async () => {
  for (let n = 1; ; n++) {
    const root = await prepare()
    rmSync(join(root, '.minions/changes'))
    const { calls } = await crashAt(n, async () => {
      const store = await open(root)
      await store.put(items, { id: 'first', value: 1 })
    })
    if (calls < n) break
    removeLocks(root)
    const store = await open(root)
    const { cursor } = await store.listChanges()
    await store.put(items, { id: 'next', value: 1 })
    const { items: found } = await store.listChanges({ since: cursor })
    expect(found.map(({ key }) => key)).toEqual(['next'])
    const all = (await store.listChanges({ since: 'start' })).items.map(({ key }) => key)
    const isThere = (await store.get(items, 'first')) !== undefined
    expect(all, `crash ${n}`).toEqual(isThere ? ['first', 'next'] : ['next'])
    await store.close()
  }
}, 120_000)

it('has all or nothing also when the process that recovers dies, again and again', async () => {
  for (let n = 1; ; n += thorough ? 1 : 5) {
    const root = await prepare()
    const { calls } = await crashAt(n, () => change(root, { acknowledged: false }))
    if (calls < n) break
    for (let k = 1; ; k += 1) {
      removeLocks(root)
      const { crashed } = await crashAt(k, async () => {
        const store = await open(root)
        await contents(store)
      })
      if (!crashed) break
    }
    removeLocks(root)
    const store = await open(root)
    expect([before, after], `crash ${n}`).toContainEqual(await expectConsistent(root, store))
    await store.close()
  }
}, 600_000)

it('upgrades a collection whole or not at all', async () => {
  const upgrade = (root: string) => Store.open(fsStorage({ root }), [items, newerOthers])
  let upgraded = 0
  for (let n = 1; ; n++) {
    const root = await prepare()
    const { calls } = await crashAt(n, async () => {
      await upgrade(root)
    })
    if (calls < n) break
    removeLocks(root)
    const text = readFileSync(join(root, '.minions/catalogue.json'), 'utf8')
    const version = JSON.parse(text).collections.others.version
    upgraded += version - 1
    const store = await upgrade(root)
    expect(await store.get(newerOthers, 'a'), `crash ${n}`).toEqual({ id: 'a', value: 1001 })
    expect(await expectConsistent(root, store)).toMatchObject({ 'items/a': 1, 'others/a': 1001 })
    await store.close()
  }
  expect(upgraded).toBeGreaterThan(0)
}, 120_000)
