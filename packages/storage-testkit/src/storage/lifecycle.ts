import { Store } from '@minions/core/storage'
import { expect } from 'vitest'
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
