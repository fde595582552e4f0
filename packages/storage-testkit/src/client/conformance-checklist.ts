import { defineType, FIELD_TYPES, type FieldDefinition, RELATION_TYPES } from '@minions/core'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { failure } from '../failure.js'
import { changesNothing, note, noteInputs, recipeType, UUID } from './support.js'

/** A value that each field type accepts, and one that it does not. */
const SAMPLES: Readonly<Record<(typeof FIELD_TYPES)[number], readonly [unknown, unknown]>> = {
  string: ['text', 5],
  number: [1.5, '1.5'],
  boolean: [false, 'false'],
  date: ['2024-01-15', '2024-02-30'],
  select: ['a', 'c'],
  'multi-select': [
    ['a', 'b'],
    ['a', 'c'],
  ],
  url: ['https://example.org/x', 'ftp://example.org'],
  email: ['anna@example.org', 'anna'],
  textarea: ['several\nlines', []],
  tags: [
    ['x', 'y'],
    ['x', 1],
  ],
  json: [{ any: [1, null] }, () => 1],
  array: [[1, 'x', null], { length: 0 }],
}

const everyField: FieldDefinition[] = FIELD_TYPES.map((type) => ({
  name: type,
  type,
  ...(type.includes('select') && { options: ['a', 'b'] }),
}))

/** The rows of the specification's conformance checklist, one case each. */
export const conformanceChecklist = casesOnClient('conformance checklist', [], {
  '1. implements the three primitives: minion, type and relation': async (client) => {
    const type = await client.types.register(recipeType)
    const minion = await client.create(type.slug, { title: 'Soup', fields: { servings: 1 } })
    const relation = await client.link({ sourceId: minion.id, targetId: minion.id, type: 'relates_to' })
    expect(client.types.get(type.id)).toEqual(type)
    expect(await client.get(minion.id)).toEqual(minion)
    expect(await client.relations(minion.id)).toEqual([relation])
  },

  '2. supports all twelve field types with validation': async (_, context) => {
    expect(FIELD_TYPES).toHaveLength(12)
    const type = defineType({ id: 'kit-every', name: 'Every', slug: 'kit-every', schema: everyField })
    const client = await context.client({ types: [type] })
    const good = Object.fromEntries(Object.entries(SAMPLES).map(([name, [value]]) => [name, value]))
    const { id } = await client.create('kit-every', { title: 'x', fields: good })
    expect((await client.get(id))?.fields).toEqual(good)
    await changesNothing(client, async () => {
      for (const [name, [, bad]] of Object.entries(SAMPLES)) {
        const error = await failure(
          client.create('kit-every', { title: 'x', fields: { [name]: bad } }),
          'VALIDATION_FAILED',
        )
        expect(
          (error.details.errors as { field: string }[]).map(({ field }) => field),
          name,
        ).toEqual([name])
      }
    })
  },

  '3. supports all twelve relation types': async (client) => {
    expect(RELATION_TYPES).toHaveLength(12)
    const [a, b] = [await note(client, 'a'), await note(client, 'b')]
    for (const type of RELATION_TYPES) await client.link({ sourceId: a.id, targetId: b.id, type })
    const stored = await client.relations(a.id, { direction: 'outgoing' })
    expect(stored.map(({ type }) => type)).toEqual([...RELATION_TYPES])
  },

  '4. implements the complete life cycle': async (client) => {
    const { id } = await note(client, 'a')
    expect((await client.update(id, { title: 'b' })).title).toBe('b')
    expect((await client.softDelete(id)).deletedAt).toEqual(expect.any(String))
    expect(await client.count()).toBe(0)
    expect((await client.restore(id)).deletedAt).toBeNull()
    expect(await client.count()).toBe(1)
    await client.hardDelete(id)
    expect(await client.get(id)).toBeUndefined()
  },

  '5. validates fields against the type on create and on update': async (_, context) => {
    const client = await context.client({ types: [recipeType] })
    await failure(client.create('kit-recipe', { title: 'x', fields: { servings: 'many' } }), 'VALIDATION_FAILED')
    const { id } = await client.create('kit-recipe', { title: 'x', fields: { servings: 1 } })
    await failure(client.update(id, { fields: { servings: 'many' } }), 'VALIDATION_FAILED')
    expect((await client.get(id))?.fields.servings).toBe(1)
  },

  '6. supports note, link, file and contact': async (client) => {
    await note(client, 'note')
    await client.create('link', { title: 'link', fields: { url: 'https://example.org' } })
    await client.create('file', { title: 'file', fields: { filename: 'a.txt', fileUrl: 'https://example.org/a.txt' } })
    await client.create('contact', { title: 'contact', fields: { name: 'Anna', email: 'anna@example.org' } })
    expect(await client.count()).toBe(4)
  },

  '7. preserves legacy values when a schema evolves': async (client) => {
    const { id } = await client.create('agent', {
      title: 'Research Assistant',
      fields: { role: 'researcher', model: 'gpt-4', temperature: 0.7, maxTokens: 4096 },
    })
    const schema = (client.types.get('agent')?.schema ?? [])
      .filter(({ name }) => name !== 'temperature')
      .map((field) => (field.name === 'maxTokens' ? { ...field, type: 'string' as const } : field))
    await client.types.evolve('agent', [...schema, { name: 'provider', type: 'string', defaultValue: 'openai' }])
    expect(await client.get(id)).toMatchObject({
      fields: { role: 'researcher', model: 'gpt-4', provider: 'openai' },
      _legacy: { temperature: 0.7, maxTokens: 4096 },
    })
  },

  '8. generates UUIDs for all ids': async (client) => {
    const minions = (await client.createMany('note', noteInputs(50))).map(({ id }) => id)
    const [sourceId = '', targetId = ''] = minions
    const relation = await client.link({ sourceId, targetId, type: 'follows' })
    const ids = [...minions, relation.id]
    for (const id of ids) expect(id).toMatch(UUID)
    expect(new Set(ids).size).toBe(51)
  },

  '9. uses ISO 8601 for all timestamps': async (client) => {
    const { id } = await note(client, 'x')
    await client.update(id, { title: 'y' })
    const deleted = await client.softDelete(id)
    const relation = await client.link({ sourceId: id, targetId: id, type: 'follows' })
    const type = await client.types.register(recipeType)
    const times = [
      deleted.createdAt,
      deleted.updatedAt,
      deleted.deletedAt,
      relation.createdAt,
      type.createdAt,
      type.updatedAt,
    ]
    for (const time of times) expect(new Date(time ?? '').toISOString()).toBe(time)
  },

  '10. removes the relations of a minion that is hard-deleted': async (client) => {
    const [a, b] = [await note(client, 'a'), await note(client, 'b')]
    await client.link({ sourceId: a.id, targetId: b.id, type: 'blocks' })
    await client.link({ sourceId: b.id, targetId: a.id, type: 'blocks' })
    await client.hardDelete(a.id)
    expect(await client.relations(b.id, { includeDeleted: true })).toEqual([])
    expect((await client.get(b.id))?.title).toBe('b')
  },

  '11. permits relations of a minion to itself': async (client) => {
    const { id } = await note(client, 'a')
    for (const type of RELATION_TYPES) await client.link({ sourceId: id, targetId: id, type })
    expect(await client.relations(id)).toHaveLength(12)
  },
})
