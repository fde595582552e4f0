import { Store, type StoreChange, type StoreChangePage, WriteBatch } from '@minions/core/storage'
import { expect } from 'vitest'
import { feedCases } from '../case.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { plain, putTimes, things } from './collections.js'

/** The change feed, followed as it grows. */
export const changesFollow = feedCases('following changes', [plain, things], {
  'a follower gets what is committed from the moment it was created': async (store) => {
    await store.put(plain, { id: 'before' })
    const feed = store.changePages()
    // The first page has no changes, but says where the feed was: a write on another connection may overtake this read.
    expect(keysOf(await feed.next())).toEqual([])
    await store.put(plain, { id: 'a' })
    expect(keysOf(await feed.next())).toEqual(['a'])
    const waiting = feed.next()
    await store.put(plain, { id: 'b' })
    expect(keysOf(await waiting)).toEqual(['b'])
    await feed.return?.()
    expect(await feed.next()).toEqual({ done: true, value: undefined })
  },

  'a follower from the start gets everything retained, and then new changes': async (store) => {
    await putTimes(store, plain, 300, (index) => ({ id: `a${index}` }))
    await store.put(things, { id: 't' })
    const ids: unknown[] = []
    for await (const { key } of store.changes({ since: 'start', collections: [plain] })) {
      ids.push(key)
      if (ids.length === 300) await store.putMany(things, [{ id: 'u' }, { id: 'v' }])
      if (ids.length === 300) await store.put(plain, { id: 'last' })
      if (ids.length === 301) break
    }
    expect(ids).toEqual([...times(300, (index) => `a${index}`), 'last'])
  },

  'many followers get the same, each from its own position': async (store) => {
    for (let round = 0; round < 10; round++) await store.put(plain, { id: `a${round}` })
    const { items } = await store.listChanges({ since: 'start' })
    const reading = items.map(({ cursor }) => take(store.changes({ since: cursor }), 20))
    for (let round = 10; round < 40; round++) await store.put(plain, { id: `a${round}` })
    for (const [index, found] of (await Promise.all(reading)).entries()) {
      expect(found.map(({ key }) => key)).toEqual(times(20, (n) => `a${index + 1 + n}`))
    }
  },

  'a follower that is slow misses nothing': async (store) => {
    const feed = store.changes({ since: 'start' })
    for (let round = 0; round < 25; round++) {
      await putTimes(store, plain, 40, (index) => ({ id: `r${round}-${index}` }))
    }
    const found = await take(feed, 1000)
    expect(new Set(found.map(({ key }) => key)).size).toBe(1000)
  },

  'a signal ends a follower without an error, before, between and while it waits': async (store) => {
    expect(await store.changes({ signal: AbortSignal.abort() }).next()).toEqual({ done: true, value: undefined })
    const controller = new AbortController()
    const feed = store.changes({ since: 'start', signal: controller.signal })
    await store.put(plain, { id: 'a' })
    expect(keyOf(await feed.next())).toBe('a')
    const waiting = feed.next()
    controller.abort()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await feed.next()).toEqual({ done: true, value: undefined })
  },

  'leaving a follower that waits ends it at once': async (store) => {
    const feed = store.changePages({ since: 'start' })
    const waiting = [feed.next(), feed.next(), feed.next()]
    await feed.return?.()
    const outcomes = await Promise.all(waiting)
    expect(outcomes.at(-1)).toEqual({ done: true, value: undefined })
  },

  'closing the store ends its followers without an error': async (store) => {
    const feeds = [store.changes(), store.changes({ since: 'start' }), store.changePages({ collections: [plain] })]
    const idle = store.changes()
    const waiting = feeds.map(async (feed) => {
      for await (const _ of feed);
      return 'ended'
    })
    await store.put(plain, { id: 'a' })
    await store.close()
    expect(await Promise.all(waiting)).toEqual(['ended', 'ended', 'ended'])
    expect(await idle.next()).toEqual({ done: true, value: undefined })
    await failure(store.listChanges(), 'CLOSED')
  },

  'pages report the position of the feed, even past changes that are not selected': async (store) => {
    const pages = store.changePages({ collections: [things] })
    const first = (await pages.next()).value
    expect(first?.items).toEqual([])
    await store.put(plain, { id: 'a' })
    const second = (await pages.next()).value
    expect(second?.items).toEqual([])
    expect(second?.cursor).not.toBe(first?.cursor)
    expect((await store.listChanges({ since: second?.cursor })).items).toEqual([])
    await pages.return?.()
  },

  'a follower is woken by commits of another backend on the same data': async (store, context) => {
    const other = await Store.open(await context.connect(), [plain])
    const { cursor } = await store.listChanges()
    const feed = store.changes({ since: cursor })
    for (const id of ['a', 'b', 'c']) {
      const waiting = feed.next()
      await other.put(plain, { id })
      expect(keyOf(await waiting)).toBe(id)
    }
    await store.put(plain, { id: 'd' })
    expect(keyOf(await feed.next())).toBe('d')
    await feed.return?.()
  },

  'a commit wakes with the names of all collections that it changed, or without names': async (store, context) => {
    const other = await Store.open(await context.connect(), [plain, things])
    const seen = new Set<string>()
    let tell = () => {}
    const stop = store.backend.watchChanges?.((collections = new Set([plain.name, things.name])) => {
      for (const name of collections) seen.add(name)
      tell()
    })
    for (const by of [store, other]) {
      await wokenBy([plain.name], () => by.put(plain, { id: 'a' }))
      await wokenBy([things.name], () => by.transaction((tx) => tx.put(things, { id: 'a' })))
      const batch = new WriteBatch()
      batch.put(plain, { id: 'b' })
      batch.put(things, { id: 'b' })
      await wokenBy([plain.name, things.name], () => by.write(batch))
      await wokenBy([things.name], () => by.delete(things, 'a'))
    }
    stop?.()

    async function wokenBy(names: readonly string[], commit: () => Promise<unknown>): Promise<void> {
      seen.clear()
      const woken = new Promise<void>((resolve) => {
        tell = () => names.every((name) => seen.has(name)) && resolve()
      })
      await commit()
      await woken
    }
  },
})

function keysOf(result: IteratorResult<StoreChangePage, undefined>): unknown[] | undefined {
  return result.value?.items.map(({ key }) => key)
}

function keyOf(result: IteratorResult<StoreChange, undefined>): unknown {
  return result.value?.key
}

async function take(feed: AsyncIterableIterator<StoreChange, undefined>, count: number): Promise<StoreChange[]> {
  const taken: StoreChange[] = []
  for await (const change of feed) if (taken.push(change) === count) break
  return taken
}
