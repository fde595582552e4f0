import { getOrInsert } from '@minions/core/json'
import { type DataVersion, type StorageBackend, Store, type StoredRecord } from '@minions/core/storage'
import fc from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { casesOf } from '../case.js'
import { Skipped } from '../context.js'
import { failure } from '../failure.js'
import { plain, things } from './collections.js'

export const lifecycle = casesOf('opening, closing and capabilities', {
  'a backend says its name and capabilities before it is opened': async ({ backend }) => {
    expect(backend.name).toMatch(/^\S+$/)
    for (const capability of ['shared', 'count', 'search'] as const) {
      expect(backend.capabilities[capability]).toEqual(expect.any(Boolean))
    }
  },

  'a backend that is not open yet cannot be used': async ({ backend }) => {
    await failure(backend.get(plain.name, ['a']), 'CLOSED')
    await failure(backend.catalogue(), 'CLOSED')
    await failure(
      backend.transaction(async () => 1),
      'CLOSED',
    )
  },

  'closing waits for operations in progress, may be repeated, and ends all use': async (context) => {
    const store = await context.open(plain)
    const { backend } = store
    const writing = store.put(plain, { id: 'a' })
    await Promise.all([writing, store.close(), store.close(), backend.close()])
    await backend.close()
    await failure(store.get(plain, 'a'), 'CLOSED')
    await failure(store.put(plain, { id: 'b' }), 'CLOSED')
    await failure(store.catalogue(), 'CLOSED')
    await failure(backend.get(plain.name, ['a']), 'CLOSED')
    const plan = { words: [], order: [], keyDirection: 'asc', limit: 1 } as const
    await failure(backend.query(plain.name, plan), 'CLOSED')
    await failure(
      backend.transaction(async () => 1),
      'CLOSED',
    )
  },

  'closing a backend that was never opened is allowed': async ({ backend }) => {
    await backend.close()
    await backend.close()
  },

  'work that is queued when the store is closed is done or refused, never lost': async (context) => {
    const store = await context.open(plain)
    const slow = store.transaction(async (tx) => {
      await tx.put(plain, { id: 'slow' })
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
    const closing = store.backend.close()
    await slow
    await closing
    await failure(store.backend.get(plain.name, ['slow']), 'CLOSED')
  },

  'the version of the data, where there is one, changes with every commit of any connection': async (context) => {
    const store = await context.open(plain)
    const { dataVersion } = store.backend
    if (!dataVersion) throw new Skipped('a version of the data: dataVersion()')
    const seen = new Set([dataVersion(), dataVersion()])
    expect(seen.size).toBe(1)
    await store.put(plain, { id: 'mine' })
    seen.add(dataVersion())
    await store.get(plain, 'mine')
    seen.add(dataVersion())
    expect(seen.size).toBe(2)
    if (!store.backend.capabilities.shared) return
    const theirs = await Store.open(await context.connect(), [plain])
    await theirs.put(plain, { id: 'theirs' })
    seen.add(dataVersion())
    expect(seen.size).toBe(3)
  },

  'reads of the same version of the data, where they have one, have seen the same data': async (context) => {
    const store = await context.open(plain)
    const isShared = store.backend.capabilities.shared
    const stores = isShared ? [store, await Store.open(await context.connect(), [plain])] : [store]
    const ids = ['a', 'b', 'c']
    /** The revisions that reads of each version have found, by backend. */
    const seen = new Map<StorageBackend, Map<DataVersion, Map<string, string>>>()
    const see = (backend: StorageBackend, { key, revision, version = backend.dataVersion?.() }: StoredRecord) => {
      if (version === undefined) return
      const versions = getOrInsert(seen, backend, () => new Map())
      const known = getOrInsert(versions, version, () => new Map())
      expect(getOrInsert(known, key, () => revision)).toBe(revision)
    }
    await store.putMany(
      plain,
      ids.map((id) => ({ id })),
    )
    const step = fc.record({ by: fc.nat(stores.length - 1), id: fc.constantFrom(...ids), kind: fc.nat(3) })
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { by, id, kind } of steps) {
        const writer = stores[by] as Store
        if (kind === 0) await writer.put(plain, { id })
        if (kind === 1) await writer.putMany(plain, [{ id }, { id: 'a' }])
        for (const { backend } of stores) {
          const page = await backend.query(plain.name, { words: [], order: [], keyDirection: 'asc', limit: 10 })
          const found = [...page, ...(await backend.get(plain.name, ids)), backend.getNow?.(plain.name, id)]
          for (const each of found) if (each) see(backend, each)
        }
      }
    })
    await fc.assert(property, budget(15))
    if (seen.size === 0) throw new Skipped('a version of the data: dataVersion(), or with records')
  },

  'a capability that is declared off rejects, and one declared on does not': async (context) => {
    const store = await context.open(things)
    const { backend } = store
    await store.putMany(things, [{ id: 'a', text: 'word' }, { id: 'b' }])
    const counting = backend.count(things.name, { words: [] })
    if (backend.capabilities.count) expect(await counting).toBe(2)
    else await failure(counting, 'CAPABILITY_MISSING')
    const searching = store.find(things, { text: 'wor' })
    if (backend.capabilities.search) expect((await searching).items.map(({ id }) => id)).toEqual(['a'])
    else await failure(searching, 'CAPABILITY_MISSING')
    if (backend.capabilities.claim) expect(backend.claim).toBeTypeOf('function')
    expect(await store.count(things)).toBe(2)
  },

  'problems is a list, and empty in a new store': async (context) => {
    const store = await context.open(plain)
    expect(await store.problems()).toEqual([])
  },
})
