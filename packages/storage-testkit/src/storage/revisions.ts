import { expect } from 'vitest'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { plain } from './collections.js'

export const revisions = storeCases('revisions', [plain], {
  'every write gives a revision that was never there before': async (store) => {
    const seen = new Set<string>()
    for (const value of ['a', 'b', 'a']) {
      const revision = await store.put(plain, { id: 'x', value })
      expect((await store.getRevised(plain, 'x'))?.revision).toBe(revision)
      expect((await store.findRevised(plain)).items[0]?.revision).toBe(revision)
      seen.add(revision)
    }
    await store.delete(plain, 'x')
    seen.add(await store.put(plain, { id: 'x', value: 'a' }))
    expect(seen.size).toBe(4)
  },

  'the revision is beside the record, never in it': async (store) => {
    await store.put(plain, { id: 'x', revision: 'mine', key: 'mine' })
    expect(await store.get(plain, 'x')).toEqual({ id: 'x', revision: 'mine', key: 'mine' })
  },

  'a write that requires another revision is a conflict with the current one in its details': async (store) => {
    const first = await store.put(plain, { id: 'x', n: 1 }, { ifAbsent: true })
    const second = await store.put(plain, { id: 'x', n: 2 }, { ifRevision: first })
    const error = await failure(store.put(plain, { id: 'x', n: 3 }, { ifRevision: first }), 'CONFLICT')
    expect(error.details).toMatchObject({ collection: plain.name, key: 'x', current: second })
    expect(await store.get(plain, 'x')).toEqual({ id: 'x', n: 2 })
  },

  'a value that was changed back is still stale': async (store) => {
    const first = await store.put(plain, { id: 'x', value: 'A' })
    await store.put(plain, { id: 'x', value: 'B' })
    await store.put(plain, { id: 'x', value: 'A' })
    await failure(store.put(plain, { id: 'x', value: 'C' }, { ifRevision: first }), 'CONFLICT')
  },

  'a write that requires a revision of a missing record is a conflict': async (store) => {
    const revision = await store.put(plain, { id: 'x' })
    await store.delete(plain, 'x')
    const error = await failure(store.put(plain, { id: 'x' }, { ifRevision: revision }), 'CONFLICT')
    expect(error.details.current).toBeNull()
    expect(await store.count(plain)).toBe(0)
  },

  'a write that requires absence of an existing record is a conflict': async (store) => {
    const revision = await store.put(plain, { id: 'x', n: 1 }, { ifAbsent: true })
    const error = await failure(store.put(plain, { id: 'x', n: 2 }, { ifAbsent: true }), 'CONFLICT')
    expect(error.details).toMatchObject({ collection: plain.name, key: 'x', current: revision })
    const twice = store.putMany(plain, [{ id: 'y' }, { id: 'y' }], { ifAbsent: true })
    await failure(twice, 'CONFLICT')
    expect(await store.count(plain)).toBe(1)
    expect(await store.get(plain, 'x')).toEqual({ id: 'x', n: 1 })
  },

  'removing may require a revision too': async (store) => {
    const first = await store.put(plain, { id: 'x', n: 1 })
    const second = await store.put(plain, { id: 'x', n: 2 })
    const error = await failure(store.delete(plain, 'x', { ifRevision: first }), 'CONFLICT')
    expect(error.details.current).toBe(second)
    expect(await store.delete(plain, 'x', { ifRevision: second })).toBe(true)
    expect((await failure(store.delete(plain, 'x', { ifRevision: second }), 'CONFLICT')).details.current).toBeNull()
    expect(await store.delete(plain, 'x')).toBe(false)
  },

  'inside a transaction the revision is that of its own last write': async (store) => {
    await store.transaction(async (tx) => {
      const first = await tx.put(plain, { id: 'x', n: 1 }, { ifAbsent: true })
      expect((await tx.getRevised(plain, 'x'))?.revision).toBe(first)
      const second = await tx.put(plain, { id: 'x', n: 2 }, { ifRevision: first })
      await tx.delete(plain, 'x', { ifRevision: second })
      await tx.put(plain, { id: 'x', n: 3 }, { ifAbsent: true })
    })
    expect(await store.get(plain, 'x')).toEqual({ id: 'x', n: 3 })
  },
})
