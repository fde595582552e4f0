import { memoryStorage } from '@minions/core/memory'
import { defineCollection, Store } from '@minions/core/storage'
import { storageConformance } from '@minions/storage-testkit'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { routeStorage } from '../src/index.js'

storageConformance({
  name: 'routed memory',
  create: async (settings) => {
    const backend = routeStorage(memoryStorage(settings), {})
    return { backend, dispose: async () => {}, reopen: async () => backend }
  },
})

const collectionOf = (name: string) =>
  defineCollection({ name, version: 1, schema: Type.Object({ id: Type.String() }), key: 'id' })
const [notes, logs, states] = ['notes', 'logs', 'states'].map(collectionOf) as [Notes, Notes, Notes]
type Notes = ReturnType<typeof collectionOf>

test('the feeds of several backends are one, with cursors that go on behind every change', async () => {
  const side = memoryStorage()
  const routed = routeStorage(memoryStorage(), { logs: side, states: side })
  const store = await Store.open(routed, [notes, logs, states])
  const feed = store.changes()
  for (const [index, collection] of [notes, logs, logs, states, notes, logs].entries()) {
    await store.put(collection, { id: `r${index}` })
  }
  const { items } = await store.listChanges({ since: 'start' })
  expect(items.map(({ collection, key }) => `${collection} ${key}`)).toEqual([
    'notes r0',
    'notes r4',
    'logs r1',
    'logs r2',
    'states r3',
    'logs r5',
  ])
  for (const limit of [1, 2, 3, 100]) {
    const seen = new Set<unknown>()
    for (let since = 'start', more = true; more; ) {
      const page = await store.listChanges({ since, limit })
      expect(page.items.length).toBeLessThanOrEqual(limit)
      for (const { key } of page.items) seen.add(key)
      since = page.cursor
      more = page.more
    }
    expect(seen.size).toBe(6)
  }
  for (const [index, { cursor }] of items.entries()) {
    const rest = await store.listChanges({ since: cursor })
    const missed = items.slice(index + 1).filter(({ key }) => !rest.items.some((other) => other.key === key))
    expect(missed).toEqual([])
    expect(rest.items.some(({ key }) => key === items[index]?.key)).toBe(false)
  }
  const followed = []
  for await (const { key } of feed) if (followed.push(key) === 6) break
  expect(followed.sort()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5'])
  await expect(store.listChanges({ since: '0' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  await expect(store.listChanges({ since: '0|%' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
  await store.close()
})

test('where one of the backends keeps no feed there is none', async () => {
  const { capabilities } = memoryStorage()
  const without = Object.assign(memoryStorage(), { capabilities: { ...capabilities, changes: false } })
  const store = await Store.open(routeStorage(memoryStorage(), { logs: without }), [notes, logs])
  await expect(store.listChanges()).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' })
  await store.close()
})
