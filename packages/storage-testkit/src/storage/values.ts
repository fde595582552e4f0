import { canonicalJson, type JsonValue, MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from '@minions/core/json'
import type { StoreReader } from '@minions/core/storage'
import fc from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { jsonValue } from './arbitraries.js'
import { type Doc, plain, things } from './collections.js'

/** Values of records, and that they are copied on the way in and out. */
export const values = storeCases('values', [plain, things], {
  'a record is returned as written, with every type of JSON value': async (store) => {
    const record = {
      id: 'all',
      text: 'Grüße, 世界, 😀, \u2028, "quotes", \\ and \'apostrophes\'',
      empty: '',
      numbers: [0, -1, 1.5, 1e21, -1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 0.1 + 0.2, 1 / 3],
      yes: true,
      no: false,
      nothing: null,
      list: [[], {}, [null, [1, ['x']]]],
      nested: { a: { b: { c: { d: [] } } } },
    }
    await store.put(plain, record)
    expect(await store.get(plain, 'all')).toEqual(record)
  },

  'random records are returned as written': async (store) => {
    const property = fc.asyncProperty(
      fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), jsonValue)),
      async (docs) => {
        const records = docs.map((doc, index) => Object.fromEntries([...Object.entries(doc), ['id', `r${index}`]]))
        await store.putMany(plain, records)
        const found = await store.getMany(
          plain,
          records.map(({ id }) => id as string),
        )
        expect(found.map((revised) => text(revised?.record))).toEqual(records.map(text))
      },
    )
    await fc.assert(property, budget(25))
  },

  'names of properties may be anything, __proto__ and the empty name included': async (store) => {
    const json = `{"id":"odd","":1,"__proto__":{"polluted":true},"constructor":"c","toString":null,"a.b":2,"$":3,"a[0]":4,
      "q\\"uote":5,"back\\\\slash":6,"new\\nline":7,"0":8,"and":9,"😀":10,"'; DROP TABLE x; --":11,"%":12,"?":13}`
    await store.put(plain, JSON.parse(json) as Doc)
    expect(text(await store.get(plain, 'odd'))).toBe(text(JSON.parse(json) as Doc))
    expect(({} as Doc).polluted).toBeUndefined()
  },

  'names are in canonical order from the first read, however they were written': async (store, context) => {
    const json =
      '{"rank":1,"id":"a","labels":["z","a"],"bb":{"é":1,"z":[{"y":1,"x":{"long name":1,"b":2}}],"\\uffff":3,"😀":4,"Z":5},"aaa":0}'
    const expected =
      '{"aaa":0,"bb":{"Z":5,"z":[{"x":{"b":2,"long name":1},"y":1}],"é":1,"😀":4,"\uffff":3},"id":"a","labels":["z","a"],"rank":1}'
    const read = async (reader: StoreReader) => {
      const found: unknown[] = [
        await reader.get(things, 'a'),
        (await reader.getRevised(things, 'a'))?.record,
        ...(await reader.getMany(things, ['a', 'none', 'b'])).flatMap((revised) => revised?.record ?? []),
        ...(await reader.find(things, { where: { rank: 1 } })).items,
        ...(await reader.findRevised(things, { orderBy: [{ field: 'aaa' }] })).items.map(({ record }) => record),
      ]
      for await (const { record } of reader.iterate(things)) found.push(record)
      expect(found.map((record) => JSON.stringify(record).replace('"id":"b"', '"id":"a"'))).toEqual(
        found.map(() => expected),
      )
      expect(found.length).toBe(10)
    }
    await store.transaction(async (tx) => {
      await tx.put(things, JSON.parse(json))
      await tx.putMany(things, [{ ...JSON.parse(expected), id: 'b' }])
      await read(tx)
    })
    await read(store)
    await read(await context.openAgain(things))
  },

  'changing a record after it was passed in changes nothing in the store': async (store) => {
    await store.transaction(async (tx) => {
      const record = { id: 'a', list: [1], inner: { value: 'before' } }
      await tx.put(plain, record)
      record.inner.value = 'after'
      record.list.push(2)
      expect((await tx.get(plain, 'a'))?.inner).toEqual({ value: 'before' })
    })
    expect(await store.get(plain, 'a')).toEqual({ id: 'a', list: [1], inner: { value: 'before' } })
  },

  'changing a record that was read changes nothing in the store': async (store) => {
    await store.put(plain, { id: 'a', inner: { value: 'before' } })
    const spoil = (record: Doc | undefined) => Object.assign(record?.inner as Doc, { value: 'after' })
    spoil(await store.get(plain, 'a'))
    spoil((await store.getRevised(plain, 'a'))?.record)
    spoil((await store.find(plain)).items[0])
    await store.transaction(async (tx) => {
      spoil(await tx.get(plain, 'a'))
      spoil((await tx.find(plain)).items[0])
      expect(await tx.get(plain, 'a')).toEqual({ id: 'a', inner: { value: 'before' } })
    })
    expect(await store.get(plain, 'a')).toEqual({ id: 'a', inner: { value: 'before' } })
    expect((await store.find(plain)).items).toEqual([{ id: 'a', inner: { value: 'before' } }])
  },

  'changing a declaration that was read changes nothing in the catalogue': async (store) => {
    const [declaration] = await store.catalogue()
    ;(declaration as { version: number }).version = 99
    expect((await store.catalogue()).map(({ version }) => version)).toEqual([1, 1])
  },

  'minus zero becomes zero': async (store) => {
    await store.put(things, { id: 'zero', rank: -0, any: -0 })
    const record = await store.get(things, 'zero')
    expect(Object.is(record?.rank, 0) && Object.is(record?.any, 0)).toBe(true)
    expect((await store.find(things, { where: { rank: 0, any: 0 } })).items).toHaveLength(1)
    expect((await store.find(things, { where: { rank: -0, any: -0 } })).items).toHaveLength(1)
  },

  'U+0000, lone surrogates and values that JSON cannot represent are refused with a pointer, and nothing is written':
    async (store) => {
      const refused: [Doc, string][] = [
        [{ id: 'x', a: { b: 'nul\0' } }, '/a/b'],
        [{ id: 'x', a: ['ok', '\ud800'] }, '/a/1'],
        [{ id: 'x', 'bad\0name': 1 }, '/bad\0name'],
        [{ id: 'x', a: Number.NaN }, '/a'],
        [{ id: 'x', a: Number.POSITIVE_INFINITY }, '/a'],
        [{ id: 'x', a: () => 1 }, '/a'],
        [{ id: 'x', a: new Date(0) }, '/a'],
        [{ id: 'x', a: 10n }, '/a'],
      ]
      for (const [record, pointer] of refused) {
        const error = await failure(store.put(plain, record), 'VALIDATION_FAILED')
        expect(error.details.pointer).toBe(pointer)
      }
      expect(await store.count(plain)).toBe(0)
    },

  'a record has at most 64 levels': async (store) => {
    const nested = (levels: number): Doc => {
      let value: unknown = 'deep'
      for (let level = 1; level < levels; level++) value = level % 2 ? [value] : { value }
      return { id: 'deep', value }
    }
    await store.put(plain, nested(MAX_RECORD_DEPTH))
    expect(text(await store.get(plain, 'deep'))).toBe(text(nested(MAX_RECORD_DEPTH)))
    await failure(store.put(plain, nested(MAX_RECORD_DEPTH + 1)), 'VALIDATION_FAILED')
  },

  'a record has at most 16 MB': async (store) => {
    const frame = JSON.stringify({ id: 'big', value: '' }).length
    await store.put(plain, { id: 'big', value: 'x'.repeat(MAX_RECORD_BYTES - frame) })
    const found = await store.get(plain, 'big')
    expect(String(found?.value)).toHaveLength(MAX_RECORD_BYTES - frame)
    await failure(store.put(plain, { id: 'big', value: 'x'.repeat(MAX_RECORD_BYTES - frame + 1) }), 'VALIDATION_FAILED')
  },

  'columns are typed: a value of another type is refused, null and missing are not': async (store) => {
    for (const wrong of [
      { rank: '1' },
      { done: 1 },
      { name: 5 },
      { labels: 'x' },
      { hints: [1] },
      { place: { city: {} } },
    ]) {
      await failure(store.put(things, { id: 'x', ...wrong }), 'VALIDATION_FAILED')
    }
    await store.put(things, { id: 'x', rank: null, labels: null, place: 'not an object' })
    expect(await store.count(things)).toBe(1)
  },
})

function text(record: Doc | undefined): string {
  return canonicalJson((record ?? null) as JsonValue)
}
