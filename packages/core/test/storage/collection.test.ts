import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type CollectionDefinition, collectionFromDeclaration, defineCollection } from '../../src/storage/collection.js'
import { planUpgrade } from '../../src/storage/upgrade.js'
import { things } from './declarations.js'

const schema = Type.Object({ id: Type.String(), n: Type.Optional(Type.Number()) })
const base = { name: 'x', version: 1, schema, key: 'id' } as const

describe('defineCollection', () => {
  it('writes a declaration of plain JSON, from which the collection can be made again', () => {
    const { declaration } = things
    expect(JSON.parse(JSON.stringify(declaration))).toEqual(declaration)
    expect(collectionFromDeclaration(declaration).declaration).toEqual(declaration)
    expect(declaration).toMatchObject({
      key: ['id'],
      indexes: [['rank'], ['labels']],
      unique: [['name']],
      createdAt: 'createdAt',
    })
  })

  it('is in its first version unless told otherwise', () => {
    const { version, ...first } = base
    expect(defineCollection(first).declaration).toEqual(defineCollection(base).declaration)
    expect(defineCollection({ ...base, version: 2 }).declaration.version).toBe(2)
  })

  it.each([
    ['zod', z.strictObject({ id: z.string(), n: z.number().min(1) })],
    ['valibot', toStandardJsonSchema(v.strictObject({ id: v.string(), n: v.pipe(v.number(), v.minValue(1)) }))],
    ['arktype', type({ '+': 'reject', id: 'string', n: 'number >= 1' })],
    ['JSON Schema', { properties: { id: { type: 'string' }, n: { minimum: 1 } }, additionalProperties: false }],
  ])('takes its schema from %s', (_, schema) => {
    const collection = defineCollection({ ...base, schema })
    expect(collection.toWrite({ id: 'a', n: 1 }, 'r').record).toEqual({ id: 'a', n: 1 })
    expect(() => collection.toWrite({ id: 'a', n: 0 }, 'r')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
    expect(collection.names).toBeDefined()
  })

  it('refuses a schema that has no JSON Schema', () => {
    expect(() => defineCollection({ ...base, schema: v.object({ id: v.string() }) })).toThrow(
      expect.objectContaining({ code: 'INVALID_SCHEMA' }),
    )
  })

  const wrong: [string, Partial<CollectionDefinition>][] = [
    ['a name with capitals', { name: 'Things' }],
    ['a name that is too long', { name: 'x'.repeat(49) }],
    ['a name that is SQL', { name: 'x; drop table y' }],
    ['a name that begins with a digit', { name: '1x' }],
    ['version zero', { version: 0 }],
    ['half a version', { version: 1.5 }],
    ['a version that is a text', { version: '1' as never }],
    ['no key', { key: [] }],
    ['an index over a column that is not there', { indexes: [['nothing']] }],
    ['a unique list', { columns: { labels: { type: 'strings', unique: true } } }],
    ['a creation time that is a list', { columns: { labels: 'strings' }, createdAt: 'labels' }],
    ['an index over a list and more', { columns: { a: 'strings', b: 'string' }, indexes: [['a', 'b']] }],
    ['a reference from a list', { columns: { a: 'strings' }, references: [{ columns: ['a'], collection: 'y' }] }],
    [
      'a condition on a number',
      {
        columns: { a: 'string', n: 'number' },
        references: [{ columns: ['a'], collection: 'y', when: { column: 'n', eq: '1' } }],
      },
    ],
  ]
  it.each(wrong)('refuses %s', (_, part) => {
    expect(() => defineCollection({ ...base, ...part } as CollectionDefinition)).toThrow(
      expect.objectContaining({ code: 'INVALID_TYPE' }),
    )
  })

  it('refuses a declaration that is none', () => {
    for (const value of [
      null,
      5,
      {},
      { ...things.declaration, columns: 'x' },
      { ...things.declaration, name: '../x' },
    ]) {
      expect(() => collectionFromDeclaration(value)).toThrow(expect.objectContaining({ code: 'INVALID_TYPE' }))
    }
  })
})

describe('a write', () => {
  it('has the key, the columns, the words and a copy of the record', () => {
    const record = { id: 'a', rank: 1.5, labels: ['x'], place: { city: 'Ulm' }, text: 'Zwei Wörter' }
    const write = things.toWrite(record, 'r1')
    expect([write.key, write.revision, write.record]).toEqual(['a', 'r1', record])
    expect(write.columns).toEqual([null, 1.5, ['x'], 'Ulm', null])
    expect(write.references).toEqual([])
    expect(write.words).toEqual(['zwei', 'worter'])
    expect(write.record).not.toBe(record)
  })

  it('is refused where the record does not fit, with a pointer', () => {
    const refusals: [object, string][] = [
      [{ id: 'a', rank: 'x' }, '/rank'],
      [{ id: 'a', labels: ['x', 1] }, '/labels'],
      [{ id: 'a', place: { city: 5 } }, '/place/city'],
      [{ id: 'a', name: 'x'.repeat(2001) }, '/name'],
    ]
    for (const [record, pointer] of refusals) {
      expect(() => things.toWrite(record as { id: string }, 'r')).toThrow(
        expect.objectContaining({ code: 'VALIDATION_FAILED', details: expect.objectContaining({ pointer }) }),
      )
    }
    expect(() => things.toWrite({ id: 5 } as never, 'r')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
  })

  it('follows a reference only when its condition holds and no column is null', () => {
    const pets = defineCollection({
      ...base,
      columns: { owner: 'string', kind: 'string', vet: 'string' },
      references: [
        { columns: ['owner'], collection: 'owners', when: { column: 'kind', ne: 'stray' } },
        { columns: ['owner', 'vet'], collection: 'pairs', when: { column: 'kind', eq: 'ill' } },
      ],
    })
    const follow = (record: object) => pets.toWrite({ id: 'x', ...record } as { id: string }, 'r').references
    expect(follow({ owner: 'o', kind: 'dog' })).toEqual(['o', null])
    expect(follow({ owner: 'o' })).toEqual(['o', null])
    expect(follow({ owner: 'o', kind: 'stray' })).toEqual([null, null])
    expect(follow({ owner: 'o', kind: 'ill' })).toEqual(['o', null])
    expect(follow({ owner: 'o', vet: 'v', kind: 'ill' })).toEqual(['o', 'o\x01\x01v'])
  })
})

describe('planUpgrade', () => {
  const second = defineCollection({ ...base, version: 2, upgrades: { 1: (record) => ({ ...record, n: 2 }) } })

  it('says what opening a store must do', () => {
    expect(planUpgrade(second, undefined)).toBe('create')
    expect(planUpgrade(second, defineCollection(base).declaration)).toBe('upgrade')
    expect(planUpgrade(second, second.declaration)).toBe('none')
    expect(planUpgrade(second, { ...second.declaration, foldVersion: 0 })).toBe('upgrade')
  })

  it('refuses a newer store, and another declaration under the same version', () => {
    const refused = expect.objectContaining({ code: 'STORAGE_VERSION' })
    expect(() => planUpgrade(defineCollection(base), second.declaration)).toThrow(refused)
    expect(() => planUpgrade(second, { ...second.declaration, foldVersion: 99 })).toThrow(refused)
    expect(() => planUpgrade(second, { ...second.declaration, key: ['other'] })).toThrow(refused)
  })

  it('is carried out by upgrade, which gives a new revision', () => {
    const first = second.upgrade({ id: 'a' }, 1)
    expect(first.record).toEqual({ id: 'a', n: 2 })
    expect(second.upgrade({ id: 'a' }, 1).revision).not.toBe(first.revision)
    expect(second.upgrade({ id: 'a' }, 2).record).toEqual({ id: 'a' })
  })
})
