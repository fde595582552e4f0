import { MAX_INDEX_BYTES, MAX_KEY_BYTES } from '@minions/core/storage'
import { expect } from 'vitest'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { accounts, editions, idsOf, plain, withIds } from './collections.js'

/** Keys that file systems, collations, normalisation and query languages confuse or fail on. */
const HOSTILE_KEYS = [
  'a', 'A', 'á', 'a\u0301', 'Á', 'ß', 'ss', 'ﬁ', 'fi', 'İ', 'i̇', '.', '..', '...', '../../etc/passwd', '/etc/passwd', 'C:\\x', 'a/b', 'a\\b',
  'CON', 'nul.json', 'a.', 'a ', ' a', ' ', '~', '-rf', '--', "'; DROP TABLE kit_plain; --", '"', "'", '`', '%', '%00', '%2e', '_', '*', '?', '$1', ':a', '@',
  '__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'null', 'undefined', 'true', '0', '00', '1e3', '\u0001', 'a\u0001b', 'a\u0001\u0001b',
  'a\nb', 'a\rb', 'a\tb', '\u007f', '\u0085', '\u2028', '\u202e', '\ufeff', '\uE000', '\uFFFD', '\uFFFF', '\u{1F600}', '\u{10FFFF}', '👩‍👩‍👧', '.git', 'index.json',
] // biome-ignore format: a list to be read across

export const keys = storeCases('keys', [plain, accounts, editions], {
  'hostile keys are distinguished and returned unchanged': async (store, context) => {
    const records = HOSTILE_KEYS.map((id, index) => ({ id, index }))
    await store.putMany(plain, records, { ifAbsent: true })
    const found = await store.getMany(plain, HOSTILE_KEYS)
    expect(found.map((revised) => revised?.record)).toEqual(records)
    expect(new Set(await idsOf(store, plain, { limit: 9 }))).toEqual(new Set(HOSTILE_KEYS))
    for (const id of HOSTILE_KEYS) expect(await idsOf(store, plain, { where: { id } }), id).toEqual([id])
    const again = await context.openAgain(plain)
    expect(await again.count(plain)).toBe(HOSTILE_KEYS.length)
    for (const [index, id] of HOSTILE_KEYS.entries()) {
      expect(await again.get(plain, id), id).toEqual({ id, index })
      expect(await again.delete(plain, id), id).toBe(true)
      expect(await again.get(plain, id), id).toBeUndefined()
    }
    expect(await again.count(plain)).toBe(0)
  },

  'a key may have 1024 bytes and not one more': async (store) => {
    for (const id of ['k'.repeat(MAX_KEY_BYTES), 'é'.repeat(MAX_KEY_BYTES / 2), '😀'.repeat(MAX_KEY_BYTES / 4)]) {
      await store.put(plain, { id, value: 1 })
      expect(await store.get(plain, id)).toEqual({ id, value: 1 })
      await failure(store.put(plain, { id: `${id}x` }), 'VALIDATION_FAILED')
      await failure(store.get(plain, `${id}x`), 'VALIDATION_FAILED')
    }
  },

  'an indexed value may have 2000 bytes and not one more': async (store) => {
    await store.put(accounts, { id: 'a', email: '😀'.repeat(MAX_INDEX_BYTES / 4) })
    await failure(store.put(accounts, { id: 'b', email: `${'😀'.repeat(MAX_INDEX_BYTES / 4)}x` }), 'VALIDATION_FAILED')
    expect(await idsOf(store, accounts, { where: { email: '😀'.repeat(MAX_INDEX_BYTES / 4) } })).toEqual(['a'])
  },

  'a key that is empty, missing or not storable is refused': async (store) => {
    for (const id of ['', null, true, 5, {}, 'nul\0', '\ud800']) {
      await failure(store.put(plain, { id }), 'VALIDATION_FAILED')
    }
    await failure(store.put(plain, {}), 'VALIDATION_FAILED')
    await failure(store.put(editions, { book: 'b', edition: -1 }), 'VALIDATION_FAILED')
    await failure(store.put(editions, { book: 'b', edition: 1.5 }), 'VALIDATION_FAILED')
    await failure(store.put(editions, { book: '', edition: 1 }), 'VALIDATION_FAILED')
    expect(await store.count(plain)).toBe(0)
  },

  'a key of two properties is unique and ordered as they are': async (store) => {
    const pairs: [string, number][] = [
      ['a', 2],
      ['a', 10],
      ['a', 9007199254740991],
      ['a\u0001', 0],
      ['a b', 1],
      ['ab', 0],
      ['b', 0],
      ['\uFFFD', 1],
      ['\u{1F600}', 1],
    ]
    await store.putMany(editions, pairs.map(([book, edition]) => ({ book, edition })).reverse())
    const { items } = await store.find(editions)
    expect(items.map(({ book, edition }) => [book, edition])).toEqual(pairs)
    for (const pair of pairs) expect(await store.get(editions, pair)).toEqual({ book: pair[0], edition: pair[1] })
    expect(await store.get(editions, ['a', 1])).toBeUndefined()
    await failure(store.put(editions, { book: 'a', edition: 10 }, { ifAbsent: true }), 'CONFLICT')
    expect(await store.delete(editions, ['a', 10])).toBe(true)
    expect(await store.count(editions, { where: { book: 'a' } })).toBe(2)
  },

  'records are returned in the order of the requested keys, undefined where there is none': async (store) => {
    await store.putMany(plain, withIds('a', 'b', 'c'))
    const found = await store.getMany(plain, ['c', 'x', 'a', 'c'])
    expect(found.map((revised) => revised?.record.id)).toEqual(['c', undefined, 'a', 'c'])
    expect(await store.getMany(plain, [])).toEqual([])
    expect(await store.get(plain, 'x')).toBeUndefined()
    expect(await store.backend.get(plain.name, [])).toEqual([])
  },
})
