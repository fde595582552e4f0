import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import {
  builtinTypes,
  createMinion,
  MINION_PRIORITIES,
  MINION_STATUSES,
  MinionSchema,
  MinionTypeSchema,
  noteType,
  softDelete,
} from '../../src/index.js'

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
