import type { OrderBy } from '@minions/core'
import fc from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { storeCases } from '../case.js'
import { times } from '../times.js'
import { textValue, thing } from './arbitraries.js'
import { idsOf, plain, refill, things } from './collections.js'
import { compare } from './model.js'

export const order = storeCases('order', [things, plain], {
  'strings are ordered by code point, not by UTF-16 unit and not by a locale': async (store) => {
    const sorted = [
      '',
      '\u0001',
      ' ',
      '!',
      '0',
      '10',
      '9',
      'A',
      'Z',
      '_',
      'a',
      'a b',
      'ab',
      'b',
      'z',
      'ß',
      'á',
      '\uE000',
      '\uFFFD',
      '\u{1F600}',
    ]
    const shuffled = [...sorted].sort((a, b) => a.length - b.length || (a < b ? 1 : -1))
    const records = shuffled.map((value, index) => ({ id: `t${index}`, name: value, any: value }))
    await store.putMany(things, records)
    for (const field of ['name', 'any']) {
      const { items } = await store.find(things, { orderBy: [{ field }] })
      expect(items.map((record) => record[field])).toEqual(sorted)
      const above = await store.find(things, { where: { [field]: { gt: '\uFFFD' } } })
      expect(above.items.map((record) => record[field])).toEqual(['\u{1F600}'])
      const between = await store.find(things, { where: { [field]: { gte: 'Z', lt: 'a' } }, orderBy: [{ field }] })
      expect(between.items.map((record) => record[field])).toEqual(['Z', '_'])
    }
  },

  'keys are ordered by code point too': async (store) => {
    const sorted = ['!', '0', 'A', 'a', 'é', '\uE000', '\uFFFD', '\u{1F600}']
    const records = [...sorted].reverse().map((id) => ({ id }))
    await store.putMany(plain, records)
    expect(await idsOf(store, plain)).toEqual(sorted)
    expect(await idsOf(store, plain, { orderBy: [{ field: 'id', direction: 'desc' }] })).toEqual([...sorted].reverse())
    expect(await idsOf(store, plain, { where: { id: { gt: '\uFFFD' } } })).toEqual(['\u{1F600}'])
  },

  'missing and null come first, then false, true, numbers, strings; lists and objects count as null': async (store) => {
    const values = [null, [1], { a: 1 }, false, true, -(2 ** 53), -1.5, 0, 1e-7, 2, 10, 1e21, '', '10', '2', 'true']
    await store.put(plain, { id: '00' })
    const records = values.map((value, index) => ({ id: String(index + 1).padStart(2, '0'), value }))
    await store.putMany(plain, records)
    const expected = times(values.length + 1, (index) => String(index).padStart(2, '0'))
    expect(await idsOf(store, plain, { orderBy: [{ field: 'value' }] })).toEqual(expected)
    expect(await idsOf(store, plain, { orderBy: [{ field: 'value' }], limit: 3 })).toEqual(expected)
  },

  'a descending order is the exact reverse, ties included': async (store) => {
    const id = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split(''))
    const fields = ['name', 'rank', 'done', 'place.city', 'any', 'deep.er', 'id', 'createdAt']
    const property = fc.asyncProperty(
      fc.uniqueArray(thing(id), { selector: (record) => record.id, maxLength: 20 }),
      fc.uniqueArray(fc.record({ field: fc.constantFrom(...fields), direction: fc.constantFrom('asc', 'desc') }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (records, orderBy) => {
        await refill(store, things, records)
        const turned: OrderBy[] = orderBy.map(({ field, direction }) => ({
          field,
          direction: direction === 'asc' ? 'desc' : 'asc',
        }))
        const forwards = await idsOf(store, things, { orderBy, limit: 4 })
        expect(await idsOf(store, things, { orderBy: turned, limit: 4 })).toEqual(forwards.reverse())
      },
    )
    await fc.assert(property, budget(25))
  },

  'records are ordered by creation time and then by key by default': async (store) => {
    await store.putMany(things, [
      { id: 'c', createdAt: '2026-01-01T00:00:00.000Z' },
      { id: 'a', createdAt: '2026-01-02T00:00:00.000Z' },
      { id: 'b', createdAt: '2026-01-01T00:00:00.000Z' },
      { id: 'd' },
    ])
    expect(await idsOf(store, things)).toEqual(['d', 'b', 'c', 'a'])
    expect(await idsOf(store, things, { orderBy: [] })).toEqual(['d', 'b', 'c', 'a'])
  },

  'several fields, in directions of their own': async (store) => {
    await store.putMany(things, [
      { id: '1', name: 'a', rank: 1 },
      { id: '2', name: 'a', rank: 2 },
      { id: '3', name: 'b', rank: 1 },
      { id: '4', name: 'b', rank: 2 },
      { id: '5', name: 'b', rank: 2 },
    ])
    const asked = (...orderBy: OrderBy[]) => idsOf(store, things, { orderBy, limit: 2 })
    expect(await asked({ field: 'name' }, { field: 'rank', direction: 'desc' })).toEqual(['2', '1', '5', '4', '3'])
    expect(await asked({ field: 'name', direction: 'desc' }, { field: 'rank' })).toEqual(['3', '4', '5', '1', '2'])
    expect(await asked({ field: 'rank' }, { field: 'name', direction: 'desc' })).toEqual(['3', '1', '5', '4', '2'])
  },

  'comparisons agree with the order': async (store) => {
    const texts = fc.uniqueArray(fc.oneof(textValue, fc.string({ unit: 'grapheme', maxLength: 6 })), {
      maxLength: 12,
    })
    const property = fc.asyncProperty(texts, textValue, async (list, pivot) => {
      await refill(
        store,
        things,
        list.map((value, index) => ({ id: `t${index}`, name: value, any: value })),
      )
      for (const field of ['name', 'any']) {
        const { items } = await store.find(things, { where: { [field]: { lt: pivot } }, orderBy: [{ field }] })
        const smaller = list.filter((value) => compare(value, pivot) < 0).sort(compare)
        expect(items.map((record) => record[field])).toEqual(smaller)
      }
    })
    await fc.assert(property, budget(25))
  },
})
