import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { createMinion, MINION_PRIORITIES, MINION_STATUSES, softDelete } from '../../src/index.js'
import { MinionSchema, MinionTypeSchema } from '../../src/schemas/index.js'
import { builtinTypes, noteType } from '../../src/types/index.js'

const isMinion = Compile(MinionSchema)
const isType = Compile(MinionTypeSchema)
const example = {
  id: 'agent-001',
  title: 'Research Assistant',
  minionTypeId: 'builtin-agent',
  fields: { role: 'researcher' },
  createdAt: '2024-01-15T10:00:00Z',
  updatedAt: '2024-01-15T10:00:00Z',
}

describe('conformance 1: the primitives as schemas', () => {
  it('accepts the minions we make and the example of the specification', () => {
    const { minion } = createMinion({ title: 'N', dueDate: '2024-01-15', fields: { content: 'x' } }, noteType)
    for (const value of [
      example,
      minion,
      softDelete(minion, 'eve'),
      { ...example, deletedAt: null, deletedBy: null },
    ]) {
      expect(isMinion.Check(value)).toBe(true)
    }
  })

  it('accepts every minion that createMinion finds nothing wrong with', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('', 'x', 'a..b', '2024-02-29', '2016-12-31T23:59:60Z', 'todo'))
    const value = fc.oneof(text, fc.constant(null), fc.integer(), fc.boolean(), fc.array(text), fc.object())
    const named = fc.constantFrom(
      ...['id', 'title', 'tags', 'status', 'priority', 'description', 'dueDate', 'categoryId', 'folderId', 'createdBy'],
    )
    const input = fc.dictionary(named, value, { maxKeys: 3 })
    const ids = fc.option(value, { nil: undefined, freq: 1 })
    let valid = 0
    fc.assert(
      fc.property(input, fc.dictionary(fc.string(), value, { maxKeys: 3 }), ids, (attributes, fields, id) => {
        const options = id === undefined ? {} : { generateId: () => id as string }
        const given = { title: 'T', ...attributes, fields: { content: 'c', ...fields } }
        const { minion, validation } = createMinion(given as never, noteType, options)
        if (!validation.valid) return
        valid += 1
        expect(isMinion.Check(minion)).toBe(true)
      }),
      { numRuns: 2000 },
    )
    expect(valid).toBeGreaterThan(100)
  })

  it('refuses what is not a minion', () => {
    const { title, ...untitled } = example
    const wrong = [
      untitled,
      { ...example, title: '' },
      { ...example, id: '../x' },
      { ...example, status: 'done' },
      { ...example, priority: 'max' },
      { ...example, fields: [] },
      { ...example, createdAt: 'yesterday' },
      { ...example, tags: [1] },
      { ...example, dueDate: 'tomorrow' },
      { ...example, dueDate: 7 },
      { ...example, dueDate: '2016-12-31T23:59:60Z' },
      { ...example, createdAt: '2016-12-31T23:59:60Z' },
    ]
    for (const value of wrong) expect(isMinion.Check(value)).toBe(false)
    expect(title).toBe(example.title)
  })

  it('accepts the built-in types', () => {
    for (const type of builtinTypes) expect(isType.Check(type)).toBe(true)
    expect(isType.Check({ ...noteType, slug: 'No Slug' })).toBe(false)
    expect(isType.Check({ ...noteType, schema: [{ name: 'x', type: 'text' }] })).toBe(false)
  })

  it('is plain JSON Schema', () => {
    for (const schema of [MinionSchema, MinionTypeSchema]) {
      expect(JSON.parse(JSON.stringify(schema))).toMatchObject({
        type: 'object',
        required: expect.arrayContaining(['id']),
      })
    }
  })

  it('lists statuses and priorities', () => {
    expect(MINION_STATUSES).toEqual(['active', 'todo', 'in_progress', 'completed', 'cancelled'])
    expect(MINION_PRIORITIES).toEqual(['low', 'medium', 'high', 'urgent'])
  })
})
