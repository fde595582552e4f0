import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CollectionDeclaration, RESERVED_WORDS, sqlName, sqlNames, sqlPart } from '../../src/storage/index.js'

const declaration = (more: object): CollectionDeclaration => ({
  ...{ name: 'notes', version: 3, key: ['id'], columns: [], indexes: [], unique: [], references: [] },
  ...{ createdAt: null, text: null, foldVersion: 1 },
  ...more,
})

const namesOf = (more: object) => sqlNames(declaration(more))

const columnsNamed = (...names: string[]) =>
  names.map((name) => ({ name, path: name, type: 'string', required: false }))

/** What every dialect takes without quotes. */
const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(...RESERVED_WORDS, '_row', '_doc', '_key', '_revision_v3', '_words_1', 'id', 'ID', 'a', 'A', 'a_2'),
  fc.string({ unit: fc.constantFrom('x', 'é', '日', '😀'), minLength: 15, maxLength: 90 }),
)

describe('sqlNames', () => {
  it('keeps declared names as they are', () => {
    expect(
      namesOf({
        columns: columnsNamed('title', 'createdAt', 'mission_id', 'größe', '日本語'),
        references: [{ columns: ['mission_id'], collection: 'missions' }],
      }),
    ).toEqual({
      table: 'notes',
      key: 'id',
      columns: ['title', 'createdAt', 'mission_id', 'größe', '日本語'],
      references: ['_mission_id_in_missions'],
      doc: '_doc',
      revision: '_revision_v3',
      words: '_words_1',
      row: '_row',
    })
  })

  it.each([
    ['order', 'order_'],
    ['Order', 'Order_'],
    ['fields.confidence', 'fields_confidence'],
    ['a"; DROP TABLE x; --', 'a_DROP_TABLE_x_'],
    ['1st', '_1st'],
    ['', '_'],
    ['e\u0301', 'é'],
    ['x'.repeat(64), 'x'.repeat(63)],
    ['é'.repeat(40), 'é'.repeat(31)],
    [`${'x'.repeat(61)}𠀀`, 'x'.repeat(61)],
  ])('names %j safely', (declared, name) => {
    expect(sqlName(declared)).toBe(name)
  })

  it('gives names that differ in case alone, or are the store’s own, different names', () => {
    const { columns, key } = namesOf({ columns: columnsNamed('Status', 'status', '_DOC', 'ID', 'a b', 'a_b') })
    expect(columns).toEqual(['Status', 'status_2', '_DOC_2', 'ID', 'a_b', 'a_b_2'])
    expect(key).toBe('_key')
  })

  it('calls the key by its one property, and the text of several `_key`', () => {
    expect(namesOf({ key: ['slug'] }).key).toBe('slug')
    expect(namesOf({ key: ['meta.id'] }).key).toBe('meta_id')
    expect(namesOf({ key: ['name', 'version'] }).key).toBe('_key')
  })

  it('gives any columns names that are plain, short enough and all different, the same every time', () => {
    fc.assert(
      fc.property(fc.array(anyName, { maxLength: 40 }), anyName, (columns, key) => {
        // Two columns of one name are possible in a declaration that someone else wrote.
        const more = { columns: columnsNamed(...columns), key: [key], references: [] }
        const names = namesOf(more)
        const { table: _, ...own } = names
        const all = Object.values(own).flat()
        for (const name of all) {
          expect(name).toMatch(PLAIN)
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
          expect(RESERVED_WORDS.has(name.toLowerCase())).toBe(false)
        }
        expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(all.length)
        expect(namesOf(more)).toEqual(names)
      }),
      { seed: 20_261 },
    )
  })

  it('gives collections tables that are all different, also from what belongs to them', () => {
    const words = ['order', 'user', 'sqlite_x', 'c_sqlite_x', 'a', 'a_i0', 'words', 'catalogue']
    const collection = fc
      .tuple(fc.constantFrom(...words), fc.constantFrom('', '_', '__', '_i0', '_words', '_old'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.uniqueArray(collection, { minLength: 2 }), (collections) => {
        const parts = ['i0', 'u1', 'r2', 'l3', 'key', 'words', 'old']
        const all = collections.flatMap((name) => [
          namesOf({ name }).table,
          ...parts.map((part) => sqlPart(name, part)),
        ])
        expect(new Set(all).size).toBe(all.length)
        for (const name of all) {
          expect(RESERVED_WORDS.has(name)).toBe(false)
          expect(name).not.toMatch(/^sqlite_/)
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
        }
      }),
      { seed: 20_261 },
    )
  })
})
