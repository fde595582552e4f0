import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createMinion, defineType, generateId, type MinionType } from '../../src/index.js'
import { agentType, noteType } from '../../src/types/index.js'
import { clockAt, deepFreeze, recipeType, T0 } from './support.js'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const fieldsOf = (errors: readonly { field: string }[]) => errors.map((error) => error.field).sort()

/** Without defaults. */
const labelledType = defineType({
  id: 'labelled',
  name: 'Labelled',
  slug: 'labelled',
  schema: [
    { name: 'method', type: 'textarea' },
    { name: 'labels', type: 'tags' },
  ],
})

describe('createMinion', () => {
  it('makes a complete minion', () => {
    const { minion, validation } = createMinion(
      { title: 'Soup', tags: ['Warm'], fields: { method: 'Boil.' } },
      recipeType,
      { clock: clockAt(T0), generateId: () => 'minion-1', by: 'ada' },
    )
    expect(validation).toEqual({ valid: true, errors: [] })
    expect(minion).toEqual({
      id: 'minion-1',
      title: 'Soup',
      minionTypeId: 'recipe',
      fields: { method: 'Boil.', servings: 2, labels: ['new'], nutrition: { energy: { kcal: 0 } } },
      tags: ['Warm'],
      status: 'active',
      createdBy: 'ada',
      createdAt: T0,
      updatedAt: T0,
      searchableText: 'soup warm new boil.',
    })
  })

  it('takes objects without a prototype and of another realm, as parsers make them', () => {
    const parsed = Object.assign(Object.create(null), { method: 'Boil.' })
    const foreign = runInNewContext('({ method: "Fry." })') as { method: string }
    for (const fields of [parsed, foreign]) {
      const { minion, validation } = createMinion(
        Object.assign(Object.create(null), { title: 'Soup', fields }),
        recipeType,
      )
      expect(validation).toEqual({ valid: true, errors: [] })
      expect(minion.fields).toMatchObject({ method: fields.method })
    }
  })

  it('takes numbers, flags and texts as they are, and -0 as 0, as JSON writes it', () => {
    const fields = { method: 'Boil.', servings: 1.5, zero: 0, negative: -0, yes: true, no: false, list: ['b', 'a'] }
    for (const more of [{}, { nested: { list: [-0] } }]) {
      const { minion } = createMinion({ title: 'Soup', fields: { ...fields, ...more } }, recipeType)
      expect(JSON.parse(JSON.stringify(minion.fields))).toStrictEqual(minion.fields)
      expect(minion.fields).toMatchObject({ servings: 1.5, zero: 0, negative: 0, yes: true, no: false })
    }
    const plain = { method: 'Boil.', negative: -0 }
    const { minion } = createMinion({ title: 'Soup', fields: plain }, labelledType)
    expect(minion.fields).toStrictEqual({ method: 'Boil.', negative: 0 })
  })

  it('shares no list with its input, also where there is nothing but texts', () => {
    const fields = { method: 'Boil.', labels: ['a'] }
    const { minion } = createMinion({ title: 'Soup', fields }, labelledType)
    fields.labels.push('b')
    expect(minion.fields).toEqual({ method: 'Boil.', labels: ['a'] })
  })

  it('conformance 8: generates a UUID v4', () => {
    expect(createMinion({ title: 'A' }, agentType).minion.id).toMatch(UUID_V4)
  })

  it('conformance 9: sets ISO 8601 timestamps, updatedAt equal to createdAt', () => {
    const { minion } = createMinion({ title: 'A' }, agentType)
    expect(minion.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(minion.updatedAt).toBe(minion.createdAt)
    expect(Math.abs(Date.now() - Date.parse(minion.createdAt))).toBeLessThan(60_000)
  })

  it('conformance 5: validates fields against the schema, and returns the minion also when it is invalid', () => {
    const { minion, validation } = createMinion(
      // @ts-expect-error wrong on purpose
      { title: 'Soup', fields: { servings: 0, course: 'breakfast', source: 'ftp://x' } },
      recipeType,
    )
    expect(validation.valid).toBe(false)
    expect(fieldsOf(validation.errors)).toEqual(['course', 'method', 'servings', 'source'])
    expect(minion.fields).toMatchObject({ servings: 0, course: 'breakfast', source: 'ftp://x' })
  })

  it('never changes its input and shares nothing with it', () => {
    const input = deepFreeze({
      title: 'Soup',
      tags: ['warm'],
      fields: { method: 'Boil.', labels: ['a'], nutrition: { energy: { kcal: 1 } }, extra: [[1]] },
    })
    const { minion, validation } = createMinion(input, deepFreeze({ ...recipeType }) as MinionType)
    expect(validation.valid).toBe(true)
    expect(minion.fields).toEqual({ ...input.fields, servings: 2 })
    expect(minion.tags).not.toBe(input.tags)
    for (const name of ['labels', 'nutrition', 'extra'] as const)
      expect(minion.fields[name]).not.toBe(input.fields[name])
  })

  it('accepts an id and a minionTypeId that fit, and refuses those that do not', () => {
    const good = createMinion({ id: 'agent-001', minionTypeId: agentType.id, title: 'A' }, agentType)
    expect(good.validation.valid).toBe(true)
    expect(good.minion.id).toBe('agent-001')
    const bad = createMinion({ id: '../etc', minionTypeId: 'builtin-note', title: 'A' }, agentType)
    expect(fieldsOf(bad.validation.errors)).toEqual(['id', 'minionTypeId'])
    expect(bad.minion.minionTypeId).toBe(agentType.id)
  })

  it('reports every bad attribute by its name', () => {
    const { validation } = createMinion(
      {
        title: 42,
        tags: ['a', 1],
        status: 'done',
        priority: 'max',
        description: {},
        categoryId: 1,
        folderId: [],
        createdBy: true,
        dueDate: '2024-02-30',
      } as never,
      agentType,
    )
    expect(fieldsOf(validation.errors)).toEqual(
      ['title', 'tags', 'status', 'priority', 'description', 'dueDate', 'categoryId', 'folderId', 'createdBy'].sort(),
    )
    for (const error of validation.errors) {
      expect(error).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    }
  })

  it('says so when an attribute cannot be set, rather than dropping it', () => {
    const input = { title: 'A', desciption: 'x', createdAt: T0, toString: 'x', constructor: 'x' }
    const { minion, validation } = createMinion(input as never, agentType)
    expect(fieldsOf(validation.errors)).toEqual(['constructor', 'createdAt', 'desciption', 'toString'])
    expect(Object.hasOwn(minion, 'toString')).toBe(false)
  })

  it('decision 1.2: a due date is a real date with or without a time', () => {
    for (const dueDate of ['2024-01-15', '2024-01-15T10:30:00Z', '2024-02-29']) {
      expect(createMinion({ title: 'A', dueDate }, agentType).validation.valid).toBe(true)
    }
    for (const dueDate of ['2023-02-29', 'tomorrow', '2024-01-15T10:30:00']) {
      expect(createMinion({ title: 'A', dueDate }, agentType).validation.valid).toBe(false)
    }
  })

  it('decision 1.3: null, undefined and an empty text are absent, as attribute and as field', () => {
    const { minion, validation } = createMinion(
      {
        title: 'Soup',
        description: '',
        status: null,
        priority: undefined,
        tags: null,
        id: '',
        fields: { method: 'Boil.', servings: null, course: '' as never, source: undefined },
      },
      recipeType,
    )
    expect(validation.valid).toBe(true)
    expect(minion.status).toBe('active')
    expect(minion.id).toMatch(UUID_V4)
    for (const name of ['description', 'priority', 'tags']) expect(Object.hasOwn(minion, name)).toBe(false)
    expect(minion.fields).toEqual({ method: 'Boil.', servings: 2, labels: ['new'], nutrition: { energy: { kcal: 0 } } })
    expect(Object.keys(minion.fields)).not.toContain('course')

    expect(fieldsOf(createMinion({ title: '', fields: { content: '' } }, noteType).validation.errors)).toEqual([
      'content',
      'title',
    ])
    // Elements of lists are kept as they are.
    expect(createMinion({ title: 'A', tags: [''], fields: { tools: [''] } }, agentType).minion).toMatchObject({
      tags: [''],
      fields: { tools: [''] },
    })
  })

  it('decision 1.6: keeps keys that the schema does not know', () => {
    const fields = { content: 'x', extra: 1, note: null, empty: '', deep: { a: [1] } }
    const { minion, validation } = createMinion({ title: 'N', fields } as never, noteType)
    expect(validation.valid).toBe(true)
    expect(minion.fields).toEqual(fields)
  })

  it('decision 1.27: `by` becomes createdBy, also over the one in the input', () => {
    expect(createMinion({ title: 'A', createdBy: 'eve' }, agentType, { by: 'ada' }).minion.createdBy).toBe('ada')
    expect(createMinion({ title: 'A', createdBy: 'eve' }, agentType).minion.createdBy).toBe('eve')
    expect(Object.hasOwn(createMinion({ title: 'A' }, agentType, { by: '' }).minion, 'createdBy')).toBe(false)
  })

  it('uses a new id for every minion', () => {
    const ids = new Set(Array.from({ length: 100 }, () => createMinion({ title: 'A' }, agentType).minion.id))
    expect(ids.size).toBe(100)
    expect(generateId()).toMatch(UUID_V4)
  })
})
