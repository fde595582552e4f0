import { describe, expect, it } from 'vitest'
import { createMinion, type Minion, softDelete, updateMinion } from '../../src/index.js'
import { clockAt, deepFreeze, recipeType, T0, T1 } from './support.js'

const at = clockAt(T1)
const soup = deepFreeze(
  createMinion(
    { title: 'Soup', description: 'Hot', tags: ['warm'], priority: 'low', fields: { method: 'Boil.', course: 'main' } },
    recipeType,
    { clock: clockAt(T0), by: 'ada' },
  ).minion,
)

describe('updateMinion', () => {
  it('merges fields, sets updatedAt and leaves the rest as it was', () => {
    const { minion, validation } = updateMinion(soup, { title: 'Stew', fields: { servings: 4 } }, recipeType, {
      clock: at,
    })
    expect(validation).toEqual({ valid: true, errors: [] })
    expect(minion).toEqual({
      ...soup,
      title: 'Stew',
      fields: { ...soup.fields, servings: 4 },
      updatedAt: T1,
      searchableText: 'stew hot warm main new boil.',
    })
  })

  it('never changes the minion or the input and shares nothing with them', () => {
    const input = deepFreeze({ tags: ['a'], fields: { labels: ['x'], nutrition: { energy: { kcal: 9 } } } })
    const { minion } = updateMinion(soup, input, recipeType)
    expect(minion).not.toBe(soup)
    expect(minion.fields).not.toBe(soup.fields)
    expect(minion.tags).not.toBe(input.tags)
    expect(minion.fields.nutrition).toEqual({ energy: { kcal: 9 } })
    expect(minion.fields.nutrition).not.toBe(input.fields.nutrition)
    expect(updateMinion(soup, {}, recipeType).minion.fields.nutrition).not.toBe(soup.fields.nutrition)
  })

  it('works without fields', () => {
    expect(updateMinion(soup, { status: 'completed' }, recipeType).minion).toMatchObject({
      status: 'completed',
      fields: soup.fields,
    })
  })

  it('conformance 5: validates the result against the schema and returns it also when it is invalid', () => {
    const { minion, validation } = updateMinion(soup, { fields: { servings: 0 } }, recipeType)
    expect(validation.valid).toBe(false)
    expect(validation.errors).toMatchObject([{ field: 'servings', value: 0 }])
    expect(minion.fields.servings).toBe(0)
  })

  it('decision 1.7: a field given as null or undefined is removed, and not replaced by its default', () => {
    const { minion, validation } = updateMinion(soup, { fields: { course: null, labels: undefined } }, recipeType)
    expect(validation.valid).toBe(true)
    expect(Object.keys(minion.fields)).toEqual(['method', 'nutrition', 'servings'])
  })

  it('decision 1.7: an attribute given as null is cleared, as undefined unchanged', () => {
    const { minion } = updateMinion(soup, { description: null, tags: undefined, priority: null }, recipeType)
    expect(minion.tags).toEqual(['warm'])
    expect(Object.hasOwn(minion, 'description')).toBe(false)
    expect(Object.hasOwn(minion, 'priority')).toBe(false)
    expect(minion.searchableText).not.toContain('hot')
  })

  it('decision 1.7: removing a required field or the title fails', () => {
    const { validation } = updateMinion(soup, { title: null, fields: { method: null } } as never, recipeType)
    expect(validation.valid).toBe(false)
    expect(validation.errors.map((error) => error.field)).toEqual(['title', 'method'])
  })

  it('decision 1.17: updating a deleted minion is an error', () => {
    expect(() => updateMinion(softDelete(soup), { title: 'x' }, recipeType)).toThrow(
      expect.objectContaining({ code: 'DELETED', message: expect.stringContaining(soup.id) }),
    )
  })

  it('decision 1.22: errors on untouched fields and attributes are marked and do not block', () => {
    const old = { ...soup, priority: 'maximal', fields: { servings: 0, course: 'brunch' } } as unknown as Minion
    const { minion, validation } = updateMinion(old, { title: 'Stew' }, recipeType)
    expect(validation.valid).toBe(true)
    expect(validation.errors.map(({ field, preexisting }) => [field, preexisting]).sort()).toEqual([
      ['course', true],
      ['method', true],
      ['priority', true],
      ['servings', true],
    ])
    expect(minion).toMatchObject({ title: 'Stew', priority: 'maximal', fields: old.fields })

    const touched = updateMinion(old, { fields: { servings: -1 } }, recipeType).validation
    expect(touched.valid).toBe(false)
    expect(touched.errors.filter((error) => error.preexisting !== true).map((error) => error.field)).toEqual([
      'servings',
    ])
    const attribute = updateMinion(old, { priority: 'minimal' } as never, recipeType).validation
    expect(attribute.errors.filter(({ field }) => field === 'priority')).toEqual([
      expect.not.objectContaining({ preexisting: true }),
    ])
  })

  it('refuses to change what cannot be set, and lets it be repeated', () => {
    const whole = updateMinion(soup, { ...soup, title: 'Stew' } as never, recipeType)
    expect(whole.validation).toEqual({ valid: true, errors: [] })
    const changed = updateMinion(soup, { id: 'x', createdAt: T1, deletedAt: T1, foo: 1 } as never, recipeType)
    expect(changed.validation.errors.map((error) => error.field).sort()).toEqual([
      'createdAt',
      'deletedAt',
      'foo',
      'id',
    ])
    expect(changed.minion).toMatchObject({ id: soup.id, createdAt: T0 })
    expect(Object.hasOwn(changed.minion, 'foo')).toBe(false)
  })

  it('refuses a type that is not the type of the minion', () => {
    const { validation } = updateMinion(soup, {}, { ...recipeType, id: 'other' })
    expect(validation.errors).toMatchObject([{ field: 'minionTypeId' }])
    expect(validation.valid).toBe(false)
  })

  it('decision 1.27: `by` becomes updatedBy and createdBy stays', () => {
    expect(updateMinion(soup, {}, recipeType, { by: 'eve' }).minion).toMatchObject({
      createdBy: 'ada',
      updatedBy: 'eve',
    })
  })
})
