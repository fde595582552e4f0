import { type Clock, defineType } from '../../src/index.js'

/** Freezes a value and everything in it, so that any attempt to change it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}

/** A clock that stands still. */
export function clockAt(time: string): Clock {
  return () => time
}

export const T0 = '2024-01-15T10:00:00.000Z'
export const T1 = '2024-06-01T12:00:00.000Z'
export const T2 = '2024-07-01T12:00:00.000Z'

/** A type with one field of every kind that matters to the lifecycle. */
export const recipeType = defineType({
  id: 'recipe',
  name: 'Recipe',
  slug: 'recipe',
  schema: [
    { name: 'method', type: 'textarea', required: true },
    { name: 'servings', type: 'number', required: true, defaultValue: 2, validation: { min: 1 } },
    { name: 'course', type: 'select', options: ['starter', 'main'] },
    { name: 'labels', type: 'tags', defaultValue: ['new'] },
    { name: 'nutrition', type: 'json', defaultValue: { energy: { kcal: 0 } } },
    { name: 'source', type: 'url' },
  ],
})
