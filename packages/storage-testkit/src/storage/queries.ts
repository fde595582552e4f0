import type { Where } from '@minions/core'
import { strictObject } from '@minions/core/schema'
import { defineCollection } from '@minions/core/storage'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { queryOn, thing } from './arbitraries.js'
import { type Doc, idsOf, plain, putTimes, refill, things } from './collections.js'
import { answer } from './model.js'

export const queries = storeCases('queries', [things, plain], {
  'a comparison matches only values of its own JSON type': async (store) => {
    const values: Doc = { text: '1', number: 1, yes: true, zero: 0, no: false, word: 'true', empty: '', null: null }
    const records = Object.entries(values).map(([id, value]) => ({ id, value }))
    await store.putMany(plain, records)
    await store.put(plain, { id: 'missing' })
    await store.put(plain, { id: 'list', value: [1, '1', true, null] })
    await store.put(plain, { id: 'object', value: { value: 1 } })
    const finds = async (value: Where[string]) => (await idsOf(store, plain, { where: { value } })).sort()
    expect(await finds(1)).toEqual(['number'])
    expect(await finds('1')).toEqual(['text'])
    expect(await finds(true)).toEqual(['yes'])
    expect(await finds('')).toEqual(['empty'])
    expect(await finds(null)).toEqual(['missing', 'null'])
    expect(await finds({ ne: 1 })).toEqual(['zero'])
    expect(await finds({ ne: true })).toEqual(['no'])
    expect(await finds({ ne: '1' })).toEqual(['empty', 'word'])
    expect(await finds({ ne: null })).toHaveLength(9)
    expect(await finds({ gte: 0 })).toEqual(['number', 'zero'])
    expect(await finds({ lt: true })).toEqual(['no'])
    expect(await finds({ gte: '' })).toEqual(['empty', 'text', 'word'])
    expect(await finds({ in: [1, 'true', false, null] })).toEqual(['missing', 'no', 'null', 'number', 'word'])
    expect(await finds({ in: [] })).toEqual([])
    expect(await finds({ isNull: false })).toHaveLength(9)
    for (const value of [1, '1', true, null]) expect(await finds({ contains: value })).toEqual(['list'])
    expect(await finds({ contains: 'true' })).toEqual([])
  },

  'columns are compared as other properties are': async (store) => {
    await store.putMany(things, [
      { id: 'a', name: '1', rank: 1, done: true, labels: ['x', 'y'], hints: ['x'] },
      { id: 'b', name: '', rank: 0, done: false, labels: [], hints: [] },
      { id: 'c' },
    ])
    const finds = (where: Where) => idsOf(store, things, { where })
    expect(await finds({ name: 1 } as Where)).toEqual([])
    expect(await finds({ rank: '1' })).toEqual([])
    expect(await finds({ rank: true })).toEqual([])
    expect(await finds({ done: 1 })).toEqual([])
    expect(await finds({ done: { ne: true } })).toEqual(['b'])
    expect(await finds({ name: null, rank: null, done: null, labels: null, hints: null })).toEqual(['c'])
    expect(await finds({ labels: { contains: 'x' }, and: [{ labels: { contains: 'y' } }] })).toEqual(['a'])
    expect(await finds({ hints: { contains: 'x' } })).toEqual(['a'])
    expect(await finds({ labels: { contains: null } })).toEqual([])
    expect(await finds({ labels: 'x' })).toEqual([])
    expect(await finds({ labels: { isNull: false } })).toEqual(['a', 'b'])
    expect(await finds({ id: { in: ['c', 'a', 'nobody'] } })).toEqual(['a', 'c'])
    expect(await finds({ id: { gt: 'a' } })).toEqual(['b', 'c'])
    expect(await finds({ id: 1 })).toEqual([])
  },

  'not turns every false into true, even for missing values': async (store) => {
    await store.putMany(things, [{ id: 'a', rank: 1, any: 1 }, { id: 'b', rank: 2, any: 'x' }, { id: 'c' }])
    const finds = (where: Where) => idsOf(store, things, { where })
    for (const field of ['rank', 'any']) {
      expect(await finds({ not: { [field]: 1 } })).toEqual(['b', 'c'])
      expect(await finds({ not: { [field]: { gt: 0 } } })).toEqual(field === 'rank' ? ['c'] : ['b', 'c'])
      expect(await finds({ not: { [field]: { in: [1, 2] } } })).toEqual(field === 'rank' ? ['c'] : ['b', 'c'])
      expect(await finds({ not: { not: { [field]: 1 } } })).toEqual(['a'])
      expect(await finds({ not: { or: [{ [field]: 1 }, { [field]: null }] } })).toEqual(['b'])
    }
    expect(await finds({ not: { labels: { contains: 'x' } } })).toEqual(['a', 'b', 'c'])
    expect(await finds({ not: {} })).toEqual([])
    expect(await finds({ and: [] })).toHaveLength(3)
    expect(await finds({ or: [] })).toEqual([])
  },

  'paths lead through objects, never into lists, and names may be odd': async (store) => {
    const record = JSON.parse(
      `{"id":"a","o":{"0":"object"},"l":["list"],"a.b":1,"":2,"q\\"":3,"b\\\\s":4,"$":5,"a[0]":6,"__proto__":{"x":7},"and":8,"n\\nl":9,"d":{"":10}}`,
    ) as Doc
    await store.put(plain, record)
    const finds = async (path: string, value: string | number | null) =>
      (await idsOf(store, plain, { where: Object.fromEntries([[path, value]]) })).length === 1
    expect(await finds('o.0', 'object')).toBe(true)
    expect(await finds('l.0', null)).toBe(true)
    expect(await finds('l.0', 'list')).toBe(false)
    expect(await finds('a\\.b', 1)).toBe(true)
    expect(await finds('a.b', null)).toBe(true)
    expect(await finds('', 2)).toBe(true)
    expect(await finds('q"', 3)).toBe(true)
    expect(await finds('b\\\\s', 4)).toBe(true)
    expect(await finds('$', 5)).toBe(true)
    expect(await finds('a[0]', 6)).toBe(true)
    expect(await finds('__proto__.x', 7)).toBe(true)
    expect(await finds('\\and', 8)).toBe(true)
    expect(await finds('n\nl', 9)).toBe(true)
    expect(await finds('d.', 10)).toBe(true)
    expect(await finds('constructor', null)).toBe(true)
    expect(await finds('o.toString', null)).toBe(true)
    expect(await finds("'; DROP TABLE kit_plain; --", null)).toBe(true)
  },

  'queries with thousands of values in a list, and a thousand conditions, work': async (store) => {
    await putTimes(store, things, 50, (index) => ({ id: `t${index}`, rank: index, any: index }))
    const many = times(5000, (index) => index * 2)
    expect(await store.count(things, { where: { rank: { in: many } } })).toBe(25)
    expect(await store.count(things, { where: { any: { in: many } } })).toBe(25)
    expect(await store.count(things, { where: { id: { in: many.map((index) => `t${index}`) } } })).toBe(25)
    const either = times(1000, (index) => ({ rank: { gte: index + 25, lt: index + 26 } }))
    expect(await store.count(things, { where: { or: either } })).toBe(25)
    const all = times(1000, (index) => ({ any: { ne: 100 + index } }))
    expect(await store.count(things, { where: { and: all } })).toBe(50)
    let deep: Where = { rank: 7 }
    for (let level = 0; level < 30; level++) deep = level % 2 ? { not: deep } : { and: [deep, {}] }
    expect(await store.count(things, { where: deep })).toBe(49)
  },

  'count counts what find finds, without a limit and from the first page on': async (store) => {
    await putTimes(store, things, 250, (index) => ({ id: `t${index}`, rank: index % 5 }))
    expect(await store.count(things)).toBe(250)
    expect(await store.count(things, { where: { rank: 3 } })).toBe(50)
    expect(await store.count(things, { where: { rank: { lt: 2 } }, limit: 1 })).toBe(100)
    const { nextCursor } = await store.find(things, { where: { rank: 3 }, limit: 10 })
    expect(await store.count(things, { where: { rank: 3 }, limit: 10, cursor: nextCursor ?? '' })).toBe(50)
    await store.transaction(async (tx) => {
      await tx.delete(things, 't3')
      await tx.put(things, { id: 'new', rank: 3 })
      await tx.put(things, { id: 't8', rank: 4 })
      expect(await tx.count(things, { where: { rank: 3 } })).toBe(49)
    })
    expect(await store.count(things, { where: { rank: 3 } })).toBe(49)
  },

  'a query that cannot be answered is refused': async (store) => {
    const wrong: object[] = [
      { where: { rank: { like: '1' } } },
      { where: { rank: { gt: null } } },
      { where: { rank: [1] } },
      { where: { rank: {} } },
      { where: { or: {} } },
      { where: { rank: { in: 5 } } },
      { where: { name: 'nul\0' } },
      { orderBy: [{ field: 'labels' }] },
      { orderBy: [{ field: 'rank', direction: 'up' }] },
      { limit: 0 },
      { limit: 1.5 },
      { limit: 100_001 },
    ]
    for (const query of wrong) await failure(store.find(things, query), 'INVALID_QUERY')
    await failure(store.find(plain, { text: 'no text here' }), 'INVALID_QUERY')
  },

  'a name unknown to a closed schema is refused with the nearest one': async (_, context) => {
    const closed = defineCollection({
      name: 'kit_closed',
      schema: strictObject({
        id: Type.String(),
        name: Type.Optional(Type.String()),
        size: Type.Optional(strictObject({ width: Type.Number() })),
        open: Type.Optional(Type.Object({})),
      }),
      key: 'id',
      columns: { width: { type: 'number', path: 'size.width', indexed: true } },
    })
    const store = await context.open(closed)
    await store.put(closed, { id: 'a', name: 'x', size: { width: 2 }, open: {} })
    const nearest = async (field: string) => {
      const { details } = await failure(store.find(closed, { orderBy: [{ field }] }), 'INVALID_QUERY')
      await failure(store.count(closed, { where: { not: { and: [{ [field]: 1 }] } } }), 'INVALID_QUERY')
      return details.nearest
    }
    expect(await nearest('nam')).toBe('name')
    expect(await nearest('size.widht')).toBe('size.width')
    expect(await nearest('width')).toBe('size.width')
    expect(await nearest('other')).toBeUndefined()
    const where = { id: 'a', name: 'x', 'size.width': { gte: 2 }, 'open.anything': null, 'name.inside': null }
    expect(await store.count(closed, { where })).toBe(1)
  },

  'random queries give the results of the model': async (store) => {
    const id = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split(''), 'A', 'Z', 'é', '\uFFFD', '\u{1F600}')
    const property = fc.asyncProperty(
      fc.uniqueArray(thing(id), { selector: (record) => record.id, maxLength: 24 }),
      fc.array(queryOn(id), { minLength: 12, maxLength: 12 }),
      async (records, queries) => {
        await refill(store, things, records)
        for (const query of queries) {
          const expected = answer(records, query).map((record) => record.id)
          expect(await idsOf(store, things, query), JSON.stringify(query)).toEqual(expected)
          expect(await store.count(things, query), JSON.stringify(query)).toBe(expected.length)
        }
      },
    )
    await fc.assert(property, budget(40))
  },

  'inside a transaction, random queries see what it has written': async (store) => {
    const id = fc.constantFrom(...'abcdefghijklmnop'.split(''))
    const records = fc.uniqueArray(thing(id), { selector: (record) => record.id, maxLength: 12 })
    const property = fc.asyncProperty(
      records,
      records,
      fc.uniqueArray(id, { maxLength: 4 }),
      fc.array(queryOn(id), { minLength: 6, maxLength: 6 }),
      async (before, written, removed, queries) => {
        await refill(store, things, before)
        const replaced = [...before.filter((old) => !written.some((record) => record.id === old.id)), ...written]
        const after = replaced.filter((record) => !removed.includes(record.id as string))
        const giveUp = new Error('given up')
        const work = store.transaction(async (tx) => {
          await tx.putMany(things, written)
          await tx.deleteMany(things, removed)
          for (const query of queries) {
            const expected = answer(after, query).map((record) => record.id)
            expect(await idsOf(tx, things, query), JSON.stringify(query)).toEqual(expected)
            expect(await tx.count(things, query), JSON.stringify(query)).toBe(expected.length)
          }
          throw giveUp
        })
        await expect(work).rejects.toBe(giveUp)
        expect(await idsOf(store, things)).toEqual(answer(before, {}).map((record) => record.id))
      },
    )
    await fc.assert(property, budget(25))
  },
})
