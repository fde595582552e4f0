import { expectTypeOf } from 'vitest'
import { defineType, type Minion, type MinionOf, type Minions, type MinionsOptions } from '../../src/index.js'

const recipeType = defineType({
  id: 'recipe',
  name: 'Recipe',
  slug: 'recipe',
  schema: [
    { name: 'servings', type: 'number', required: true },
    { name: 'note', type: 'string' },
  ],
})

export async function results(client: Minions): Promise<void> {
  expectTypeOf(await client.create(recipeType, { title: 'x', fields: { servings: 1 } })).toEqualTypeOf<
    MinionOf<typeof recipeType>
  >()
  expectTypeOf((await client.find({ type: recipeType })).items).toEqualTypeOf<MinionOf<typeof recipeType>[]>()
  expectTypeOf((await client.search('x', { type: recipeType })).items).toEqualTypeOf<MinionOf<typeof recipeType>[]>()
  expectTypeOf((await client.find({ type: 'recipe' })).items).toEqualTypeOf<Minion[]>()
  expectTypeOf((await client.find()).items).toEqualTypeOf<Minion[]>()
  expectTypeOf(await client.get('x')).toEqualTypeOf<Minion | undefined>()
  // @ts-expect-error servings is a number
  await client.create(recipeType, { title: 'x', fields: { servings: 'many' } })
  // @ts-expect-error servings is required
  await client.create(recipeType, { title: 'x', fields: {} })
  // @ts-expect-error there is no such relation type
  await client.link({ sourceId: 'a', targetId: 'b', type: 'likes' })
  // @ts-expect-error there is no such event
  client.on('minion.exploded', () => {})
  // @ts-expect-error a query has no such part
  await client.find({ kind: 'note' })
}

export async function evolutions(client: Minions): Promise<void> {
  await client.types.evolve('recipe', [], {
    transform: {
      servings: (value, minion) => {
        expectTypeOf(value).toEqualTypeOf<unknown>()
        expectTypeOf(minion).toEqualTypeOf<Minion>()
        return Number(value)
      },
    },
  })
  // @ts-expect-error a transform is a function
  await client.types.evolve('recipe', [], { transform: { servings: 'number' } })
  expectTypeOf<MinionsOptions['onTypeDiffers']>().toEqualTypeOf<'fail' | 'evolve' | 'keep' | undefined>()
}
