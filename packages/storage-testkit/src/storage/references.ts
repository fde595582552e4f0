import { expect } from 'vitest'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { editions, idsOf, loans, nodes, owners, pets } from './collections.js'

export const references = storeCases('references', [owners, pets, editions, loans, nodes], {
  'a dangling reference is refused at commit, and nothing is written': async (store) => {
    const error = await failure(store.put(pets, { id: 'rex', owner: 'nobody' }), 'REFERENCE_VIOLATION')
    expect(error.details).toMatchObject({ collection: pets.name, key: 'rex', reference: owners.name })
    await failure(
      store.transaction(async (tx) => {
        await tx.put(owners, { id: 'anna' })
        await tx.put(pets, { id: 'rex', owner: 'anna' })
        await tx.put(pets, { id: 'tom', owner: 'nobody' })
      }),
      'REFERENCE_VIOLATION',
    )
    expect([await store.count(owners), await store.count(pets)]).toEqual([0, 0])
  },

  'the order inside a transaction does not matter': async (store) => {
    await store.transaction(async (tx) => {
      await tx.put(pets, { id: 'rex', owner: 'anna' })
      await tx.put(owners, { id: 'anna' })
    })
    await store.transaction(async (tx) => {
      await tx.delete(owners, 'anna')
      await tx.put(pets, { id: 'rex', owner: 'berta' })
      await tx.put(owners, { id: 'berta' })
    })
    expect(await idsOf(store, owners)).toEqual(['berta'])
  },

  'a referenced record cannot be removed alone': async (store) => {
    await store.put(owners, { id: 'anna' })
    await store.put(pets, { id: 'rex', owner: 'anna' })
    const error = await failure(store.delete(owners, 'anna'), 'REFERENCE_VIOLATION')
    expect(error.details).toMatchObject({ collection: pets.name, key: 'rex', reference: owners.name })
    expect(await store.get(owners, 'anna')).toEqual({ id: 'anna' })
    expect(await store.delete(owners, 'nobody')).toBe(false)
  },

  'removing both, or moving or clearing the reference, is allowed': async (store) => {
    await store.putMany(owners, [{ id: 'anna' }, { id: 'berta' }, { id: 'clara' }])
    await store.putMany(pets, [
      { id: 'rex', owner: 'anna' },
      { id: 'tom', owner: 'berta' },
      { id: 'ada', owner: 'clara' },
    ])
    await store.transaction(async (tx) => {
      await tx.delete(owners, 'anna')
      await tx.delete(pets, 'rex')
    })
    await store.transaction(async (tx) => {
      await tx.put(pets, { id: 'tom', owner: 'clara' })
      await tx.delete(owners, 'berta')
    })
    await store.put(pets, { id: 'tom' })
    await store.delete(pets, 'ada')
    expect(await store.delete(owners, 'clara')).toBe(true)
  },

  'a record removed and written again in one transaction was never gone': async (store) => {
    await store.put(owners, { id: 'anna', age: 1 })
    await store.put(pets, { id: 'rex', owner: 'anna' })
    await store.transaction(async (tx) => {
      await tx.delete(owners, 'anna')
      await tx.put(owners, { id: 'anna', age: 2 })
    })
    await store.put(owners, { id: 'anna', age: 3 })
    await failure(store.delete(owners, 'anna'), 'REFERENCE_VIOLATION')
    expect(await store.get(owners, 'anna')).toEqual({ id: 'anna', age: 3 })
  },

  'null refers to nothing': async (store) => {
    await store.putMany(pets, [{ id: 'a' }, { id: 'b', owner: null }])
    await store.putMany(loans, [
      { id: 'a', book: 'half a reference' },
      { id: 'b', edition: 1 },
    ])
    expect(await store.count(loans)).toBe(2)
  },

  'with `when`, a reference holds only for some records': async (store) => {
    await store.put(pets, { id: 'stray', kind: 'stray', owner: 'nobody' })
    await store.put(pets, { id: 'healthy', vet: 'nobody' })
    await failure(store.put(pets, { id: 'stray', kind: 'cat', owner: 'nobody' }), 'REFERENCE_VIOLATION')
    await failure(store.put(pets, { id: 'ill', kind: 'patient', vet: 'nobody' }), 'REFERENCE_VIOLATION')
    await store.putMany(owners, [{ id: 'anna' }, { id: 'vera' }])
    await store.put(pets, { id: 'tame', kind: 'stray', owner: 'anna' })
    expect(await store.delete(owners, 'anna')).toBe(true)
    await store.put(pets, { id: 'ill', kind: 'patient', vet: 'vera' })
    await failure(store.delete(owners, 'vera'), 'REFERENCE_VIOLATION')
    await store.put(pets, { id: 'ill', kind: 'cured', vet: 'vera' })
    expect(await store.delete(owners, 'vera')).toBe(true)
  },

  'a key of several properties is referred to by several columns': async (store) => {
    await store.putMany(editions, [
      { book: 'b', edition: 1 },
      { book: 'b', edition: 2 },
    ])
    await store.put(loans, { id: 'l', book: 'b', edition: 2 })
    await failure(store.put(loans, { id: 'm', book: 'b', edition: 3 }), 'REFERENCE_VIOLATION')
    await failure(store.delete(editions, ['b', 2]), 'REFERENCE_VIOLATION')
    expect(await store.delete(editions, ['b', 1])).toBe(true)
  },

  'a collection may refer to itself, a record to itself, and records in a cycle': async (store) => {
    await store.put(nodes, { id: 'self', parent: 'self' })
    await store.putMany(nodes, [
      { id: 'a', parent: 'b' },
      { id: 'b', parent: 'a' },
    ])
    await failure(store.delete(nodes, 'a'), 'REFERENCE_VIOLATION')
    expect(await store.deleteMany(nodes, ['a', 'b', 'self'])).toBe(3)
    expect(await store.count(nodes)).toBe(0)
  },
})
