import { expect } from 'vitest'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { accounts, idsOf } from './collections.js'

export const unique = storeCases('unique columns', [accounts], {
  'a second record with the same value is refused, with the columns, and nothing is written': async (store) => {
    await store.put(accounts, { id: 'a', email: 'x@y.z' })
    const error = await failure(store.put(accounts, { id: 'b', email: 'x@y.z' }), 'UNIQUE_VIOLATION')
    expect(error.details).toMatchObject({ collection: accounts.name, key: 'b', columns: ['email'] })
    await failure(store.putMany(accounts, [{ id: 'c' }, { id: 'd', email: 'x@y.z' }]), 'UNIQUE_VIOLATION')
    await failure(
      store.putMany(accounts, [
        { id: 'e', email: 'new' },
        { id: 'f', email: 'new' },
      ]),
      'UNIQUE_VIOLATION',
    )
    expect(await idsOf(store, accounts)).toEqual(['a'])
  },

  'values are compared exactly: case, accents and spaces count': async (store) => {
    const emails = ['x', 'X', 'x ', ' x', 'é', 'e\u0301', 'e', '', 'ß', 'ss', '\u{1F600}', '\uFFFD']
    const records = emails.map((email, index) => ({ id: `a${index}`, email }))
    await store.putMany(accounts, records)
    for (const email of emails) await failure(store.put(accounts, { id: 'other', email }), 'UNIQUE_VIOLATION')
  },

  'null and missing values never collide': async (store) => {
    await store.putMany(accounts, [
      { id: 'a' },
      { id: 'b', email: null },
      { id: 'c', tenant: 't' },
      { id: 'd', tenant: 't' },
      { id: 'e', number: 1 },
      { id: 'f', number: 1, tenant: null },
    ])
    expect(await store.count(accounts)).toBe(6)
  },

  'several columns are unique together': async (store) => {
    await store.putMany(accounts, [
      { id: 'a', tenant: 't', number: 1 },
      { id: 'b', tenant: 't', number: 2 },
      { id: 'c', tenant: 'u', number: 1 },
    ])
    const error = await failure(store.put(accounts, { id: 'd', tenant: 't', number: 1 }), 'UNIQUE_VIOLATION')
    expect(error.details).toMatchObject({ collection: accounts.name, columns: ['tenant', 'number'] })
    await store.put(accounts, { id: 'd', tenant: 't1', number: 1 })
    await store.put(accounts, { id: 'e', tenant: 't', number: 11 })
  },

  'a record keeps its own value when it is written again': async (store) => {
    await store.put(accounts, { id: 'a', email: 'x', note: 1 })
    await store.put(accounts, { id: 'a', email: 'x', note: 2 })
    expect(await store.get(accounts, 'a')).toEqual({ id: 'a', email: 'x', note: 2 })
  },

  'a value is free again once its record was changed or removed, even in the same transaction': async (store) => {
    await store.putMany(accounts, [
      { id: 'a', email: 'x' },
      { id: 'b', email: 'y' },
    ])
    await store.transaction(async (tx) => {
      await tx.delete(accounts, 'a')
      await tx.put(accounts, { id: 'c', email: 'x' })
      await tx.put(accounts, { id: 'b', email: 'z' })
      await tx.put(accounts, { id: 'd', email: 'y' })
      await tx.put(accounts, { id: 'd', email: 'w' })
      await tx.put(accounts, { id: 'f', email: 'y' })
    })
    await store.delete(accounts, 'c')
    await store.put(accounts, { id: 'e', email: 'x' })
    expect(await idsOf(store, accounts, { where: { email: { in: ['x', 'y', 'z'] } } })).toEqual(['b', 'e', 'f'])
  },

  'a refused value is not taken': async (store) => {
    await store.put(accounts, { id: 'a', email: 'x' })
    const twice = store.putMany(accounts, [
      { id: 'b', email: 'free' },
      { id: 'c', email: 'x' },
    ])
    await failure(twice, 'UNIQUE_VIOLATION')
    await store.put(accounts, { id: 'd', email: 'free' })
  },
})
