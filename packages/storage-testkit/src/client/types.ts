import { defineType, type Minion, type MinionType } from '@minions/core'
import { minionToType, promptTemplateType, typeToMinion } from '@minions/core/types'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { failure } from '../failure.js'
import { changesNothing, listen, recipeType } from './support.js'

export const types = casesOnClient('types', [], {
  'types are known at once, by id and by slug': async (_, context) => {
    const client = await context.client({ types: [recipeType] })
    expect(client.types.get('note')?.id).toBe('builtin-note')
    expect(client.types.get('builtin-note')?.slug).toBe('note')
    expect(client.types.get('kit-recipe')).toMatchObject(recipeType)
    expect(client.types.get('nonsense')).toBeUndefined()
    expect(client.types.list().map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['note', 'link', 'file', 'contact', 'agent', 'kit-recipe']),
    )
  },

  'a registered type has timestamps, is stored, and exists after reopening': async (client, context) => {
    const told = listen(client)
    const type = await client.types.register(recipeType, { by: 'anna' })
    expect(type.createdAt).toBe(type.updatedAt)
    expect(type.createdAt).toMatch(/Z$/)
    expect(told).toMatchObject([{ name: 'type.registered', id: 'kit-recipe', by: 'anna' }])
    expect(client.types.get('kit-recipe')).toEqual(type)
    const { id } = await client.create('kit-recipe', { title: 'Soup', fields: { servings: 2 } })
    const again = await context.clientAgain()
    expect(again.types.get('kit-recipe')).toEqual(type)
    expect((await again.update(id, { fields: { servings: 3 } })).fields.servings).toBe(3)
  },

  'a type that cannot be used, or whose id or slug is taken, is refused and nothing is written': async (_, context) => {
    const client = await context.client({ types: [recipeType] })
    const base: MinionType = { id: 'kit-other', name: 'Other', slug: 'kit-other', schema: [] }
    await changesNothing(client, async () => {
      const bad: object[] = [
        { slug: 'Not Kebab' },
        { slug: 'a--b' },
        { id: '../x' },
        { name: '' },
        { schema: [{ name: 'x', type: 'nonsense' }] },
        { schema: [{ name: 'x', type: 'string', validation: { pattern: '(' } }] },
        { schema: [{ name: 'x', type: 'select' }] },
      ]
      for (const part of bad) await failure(client.types.register({ ...base, ...part } as MinionType), 'INVALID_TYPE')
      await failure(client.types.register({ ...base, id: 'kit-recipe' }), 'ALREADY_REGISTERED')
      await failure(client.types.register({ ...base, slug: 'kit-recipe' }), 'ALREADY_REGISTERED')
      await failure(client.types.register({ ...base, slug: 'note' }), 'ALREADY_REGISTERED')
      expect(client.types.get('kit-other')).toBeUndefined()
    })
  },

  'one of several concurrent registrations of a slug wins': async (client, context) => {
    const attempts = ['kit-a', 'kit-b', 'kit-c'].map((id) =>
      client.types.register({ id, name: id, slug: 'kit-contested', schema: [] }),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const again = await context.clientAgain()
    expect(again.types.list().filter(({ slug }) => slug === 'kit-contested')).toHaveLength(1)
  },

  'a type takes over a slug only by saying so, and the other stays reachable by its id': async (_, context) => {
    const taker = defineType({
      id: 'kit/prompt',
      name: 'Prompt',
      slug: 'prompt-template',
      schema: [{ name: 'content', type: 'textarea', required: true }],
    })
    const client = await context.client({ types: [{ type: taker, takesSlugOf: promptTemplateType.id }] })
    expect(client.types.get('prompt-template')?.id).toBe('kit/prompt')
    expect(client.types.get(promptTemplateType.id)?.id).toBe(promptTemplateType.id)
    const mine = await client.create('prompt-template' as string, { title: 'x', fields: { content: 'hello' } })
    const old = await client.create(promptTemplateType.id, { title: 'y', fields: { template: 'hello' } })
    const without = await context.clientAgain()
    expect(without.types.get('prompt-template')?.id).toBe(promptTemplateType.id)
    expect(without.types.get('kit/prompt')?.id).toBe('kit/prompt')
    expect((await without.get(mine.id))?.minionTypeId).toBe('kit/prompt')
    expect((await without.get(old.id))?.minionTypeId).toBe(promptTemplateType.id)
  },

  'derived values are stored, emitted and returned in one write': async (_, context) => {
    const derive = (minion: Minion, before: Minion | undefined): Minion =>
      minion.title === '' ? minion : { ...minion, fields: { ...minion.fields, was: before?.title ?? 'nothing' } }
    const type: MinionType = { id: 'kit-derived', name: 'Derived', slug: 'kit-derived', schema: [] }
    const client = await context.client({ types: [{ type, derive }] })
    const told: Minion[] = []
    client.on('minion.created', ({ record }) => told.push(record))
    client.on('minion.updated', ({ record }) => told.push(record))
    const one = await client.create('kit-derived', { title: 'One' })
    const [two] = await client.createMany('kit-derived', [{ title: 'Two' }])
    const inside = await client.transaction((tx) => tx.update(one.id, { title: 'Three' }))
    expect([one, two, inside].map((minion) => minion?.fields.was)).toEqual(['nothing', 'nothing', 'One'])
    expect(told).toEqual([one, two, inside])
    const stored = await client.getRecord(one.id)
    expect(stored?.minion).toEqual(inside)
    if (context.backend.capabilities.search) {
      expect((await client.search('one', { type: 'kit-derived' })).items).toEqual([inside])
    }
    const again = await client.update(one.id, { title: 'Four' }, { ifRevision: stored?.revision ?? '' })
    expect(again.fields.was).toBe('Three')
  },

  'taking over a slug of a type that does not exist, or has another slug, is refused and nothing is written': async (
    client,
  ) => {
    const type: MinionType = { id: 'kit-taker', name: 'Taker', slug: 'kit-taker', schema: [] }
    await changesNothing(client, async () => {
      await expect(client.types.register(type, { takesSlugOf: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(client.types.register(type, { takesSlugOf: 'builtin-note' })).rejects.toMatchObject({
        code: 'INVALID_TYPE',
      })
      expect(client.types.get('kit-taker')).toBeUndefined()
    })
  },

  'the stored type takes precedence: another schema in code is reported as a problem': async (_, context) => {
    const client = await context.client({ types: [recipeType] })
    expect(await client.problems()).toEqual([])
    await context.reopenIfPossible()
    const changed = { ...recipeType, schema: recipeType.schema.slice(0, 1) }
    const again = await context.client({ types: [changed] })
    expect((await again.problems()).map(({ code }) => code)).toEqual(['TYPE_DIFFERS'])
    expect(again.types.get('kit-recipe')?.schema).toEqual(recipeType.schema)
  },

  'a type described as a minion is stored and read back exactly': async (client) => {
    const { id, title, description, fields } = typeToMinion({ ...recipeType, description: 'Food', icon: '🍲' })
    await client.create('minion-type', { id, title, description: description ?? null, fields: fields as never })
    const stored = await client.get(id)
    expect(stored && minionToType(stored)).toEqual({ ...recipeType, description: 'Food', icon: '🍲' })
  },

  'a type registered in a transaction that fails does not exist afterwards': async (client) => {
    await changesNothing(client, async () => {
      const work = client.transaction(async (tx) => {
        await tx.types.register(recipeType)
        await tx.create('kit-recipe', { title: 'Soup', fields: { servings: 1 } })
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(client.types.get('kit-recipe')).toBeUndefined()
    })
    await client.transaction(async (tx) => {
      await tx.types.register(recipeType)
      await tx.create('kit-recipe', { title: 'Soup', fields: { servings: 1 } })
      expect(client.types.get('kit-recipe')).toBeUndefined()
    })
    expect(client.types.get('kit-recipe')?.slug).toBe('kit-recipe')
    expect(await client.count({ type: 'kit-recipe' })).toBe(1)
  },

  'a client sees the types that another client on the same data registers': async (_, context) => {
    const other = await context.connect()
    const [mine, theirs] = [await context.client(), await context.client({ storage: other })]
    await theirs.types.register(recipeType)
    const { id } = await mine.create('kit-recipe', { title: 'Soup', fields: { servings: 1 } })
    expect((await theirs.get(id))?.title).toBe('Soup')
    expect((await mine.find({ type: 'kit-recipe' })).items).toHaveLength(1)
    await theirs.types.register({ id: 'kit-late', name: 'Late', slug: 'kit-late', schema: [] })
    expect((await mine.find({ type: 'kit-late' })).items).toEqual([])
    expect(await mine.count({ type: 'kit-late' })).toBe(0)
  },
})
