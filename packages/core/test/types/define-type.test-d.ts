import { describe, expectTypeOf, it } from 'vitest'
import {
  type CreateMinionInput,
  createMinion,
  defineType,
  type FieldsOf,
  type Minion,
  type MinionOf,
  type MinionType,
  type UpdateMinionInput,
  updateMinion,
} from '../../src/index.js'
import type { JsonValue } from '../../src/json/index.js'
import { agentType, noteType, testCaseType } from '../../src/types/index.js'

const recipeType = defineType({
  id: 'recipe',
  name: 'Recipe',
  slug: 'recipe',
  schema: [
    { name: 'method', type: 'textarea', required: true },
    { name: 'servings', type: 'number', required: true, defaultValue: 2 },
    { name: 'course', type: 'select', options: ['starter', 'main', 'dessert'] },
    { name: 'diets', type: 'multi-select', options: ['vegan', 'halal'] },
    { name: 'vegetarian', type: 'boolean' },
    { name: 'published', type: 'date' },
    { name: 'source', type: 'url' },
    { name: 'author', type: 'email' },
    { name: 'labels', type: 'tags' },
    { name: 'nutrition', type: 'json' },
    { name: 'steps', type: 'array' },
    { name: 'note', type: 'string' },
  ],
})
type Recipe = typeof recipeType

describe('defineType', () => {
  it('keeps literal types', () => {
    expectTypeOf(recipeType.slug).toEqualTypeOf<'recipe'>()
    expectTypeOf(recipeType.schema[2].options).toEqualTypeOf<readonly ['starter', 'main', 'dessert']>()
    expectTypeOf(recipeType).toExtend<MinionType>()
  })

  it('gives each kind of field its TypeScript type', () => {
    expectTypeOf<FieldsOf<Recipe>>().toEqualTypeOf<{
      method: string
      servings: number
      course?: 'starter' | 'main' | 'dessert'
      diets?: readonly ('vegan' | 'halal')[]
      vegetarian?: boolean
      published?: string
      source?: string
      author?: string
      labels?: readonly string[]
      nutrition?: JsonValue
      steps?: readonly JsonValue[]
      note?: string
    }>()
  })

  it('refuses what a type cannot be', () => {
    // @ts-expect-error there is no such kind of field
    defineType({ id: 'x', name: 'X', slug: 'x', schema: [{ name: 'a', type: 'text' }] })
    // @ts-expect-error a misspelt property of a field definition
    defineType({ id: 'x', name: 'X', slug: 'x', schema: [{ name: 'a', type: 'string', requried: true }] })
    // @ts-expect-error a misspelt property of the type
    defineType({ id: 'x', name: 'X', slug: 'x', schema: [], colour: '#fff' })
    // @ts-expect-error a type has a slug
    defineType({ id: 'x', name: 'X', schema: [] })
  })
})

describe('createMinion', () => {
  it('returns a minion with typed fields', () => {
    const { minion } = createMinion({ title: 'Soup', fields: { method: 'Boil.' } }, recipeType)
    expectTypeOf(minion).toEqualTypeOf<MinionOf<Recipe>>()
    expectTypeOf(minion.fields.method).toEqualTypeOf<string>()
    expectTypeOf(minion.fields.course).toEqualTypeOf<'starter' | 'main' | 'dessert' | undefined>()
    expectTypeOf(minion).toExtend<Minion>()
    // @ts-expect-error the type has no such field
    minion.fields.metod
  })

  it('does not compile with a misspelt field', () => {
    // @ts-expect-error it is called content
    createMinion({ title: 'N', fields: { contents: 'x' } }, noteType)
    // @ts-expect-error it is called role
    createMinion({ title: 'A', fields: { rolle: 'x' } }, agentType)
  })

  it('does not compile with a value of the wrong type', () => {
    // @ts-expect-error servings is a number
    createMinion({ title: 'Soup', fields: { method: 'Boil.', servings: 'two' } }, recipeType)
    // @ts-expect-error labels is a list
    createMinion({ title: 'Soup', fields: { method: 'Boil.', labels: 'warm' } }, recipeType)
    // @ts-expect-error a function is not JSON
    createMinion({ title: 'Case', fields: { input: () => 1 } }, testCaseType)
    // @ts-expect-error there is no such status
    createMinion({ title: 'A', status: 'done' }, agentType)
  })

  it('does not compile with an option that is not in options', () => {
    // @ts-expect-error there is no such course
    createMinion({ title: 'Soup', fields: { method: 'Boil.', course: 'breakfast' } }, recipeType)
    // @ts-expect-error there is no such diet
    createMinion({ title: 'Soup', fields: { method: 'Boil.', diets: ['vegan', 'carnivore'] } }, recipeType)
  })

  it('requires what is required and has no default', () => {
    createMinion({ title: 'Soup', fields: { method: 'Boil.' } }, recipeType)
    createMinion({ title: 'A' }, agentType)
    createMinion({ title: 'A', description: null, fields: { role: null } }, agentType)
    // @ts-expect-error method is required
    createMinion({ title: 'Soup', fields: { servings: 2 } }, recipeType)
    // @ts-expect-error a required field makes fields required
    createMinion({ title: 'Soup' }, recipeType)
    // @ts-expect-error a title is required
    createMinion({ fields: { method: 'Boil.' } }, recipeType)
  })

  it('takes any fields when the type is not known to the compiler', () => {
    const type: MinionType = recipeType
    const { minion } = createMinion({ title: 'Soup', fields: { anything: 1 } }, type)
    expectTypeOf(minion.fields).toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf<CreateMinionInput['fields']>().toEqualTypeOf<Record<string, unknown> | null | undefined>()
    expectTypeOf<UpdateMinionInput['title']>().toEqualTypeOf<string | undefined>()
  })
})

describe('updateMinion', () => {
  const { minion } = createMinion({ title: 'Soup', fields: { method: 'Boil.' } }, recipeType)

  it('takes any part of a minion', () => {
    const updated = updateMinion(minion, { fields: { course: 'main' } }, recipeType)
    expectTypeOf(updated.minion).toEqualTypeOf<MinionOf<Recipe>>()
    updateMinion(minion, {}, recipeType)
    updateMinion(minion, { title: 'Stew', description: null, fields: { course: null } }, recipeType)
  })

  it('does not compile with what the type does not allow', () => {
    // @ts-expect-error a required field cannot be removed
    updateMinion(minion, { fields: { method: null } }, recipeType)
    // @ts-expect-error it is called course
    updateMinion(minion, { fields: { cours: 'main' } }, recipeType)
    // @ts-expect-error there is no such course
    updateMinion(minion, { fields: { course: 'breakfast' } }, recipeType)
    // @ts-expect-error the id of a minion does not change
    updateMinion(minion, { id: 'other' }, recipeType)
  })
})
