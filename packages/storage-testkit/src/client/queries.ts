import { type Minion, type MinionQuery, Minions, type MinionsAccess } from '@minions/core'
import { typeToMinion } from '@minions/core/types'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { note, recipeType, titles } from './support.js'

async function filled(client: Minions): Promise<void> {
  const thought = (title: string, confidence: number | undefined, rest: object = {}) =>
    client.create('thought', {
      title,
      fields: { content: `about ${title}`, ...(confidence !== undefined && { confidence }) },
      ...rest,
    })
  await thought('low', 0.2, { tags: ['a'], status: 'todo' })
  await thought('high', 0.9, { tags: ['a', 'b'], status: 'completed' })
  await thought('middle', 0.5, { tags: ['b'], status: 'todo', priority: 'high' })
  await thought('unsure', undefined)
  await note(client, 'Größe')
}

export const queries = casesOnClient('queries of the client', [recipeType], {
  'by type, status, tags and fields, alone and together': async (client) => {
    await filled(client)
    const finds = async (query: MinionQuery) => {
      const { items } = await client.find(query)
      expect(await client.count(query)).toBe(items.length)
      return titles(items)
    }
    expect(await finds({})).toEqual(['low', 'high', 'middle', 'unsure', 'Größe'])
    expect(await finds({ type: 'thought' })).toEqual(['low', 'high', 'middle', 'unsure'])
    expect(await finds({ type: 'builtin-thought' })).toEqual(['low', 'high', 'middle', 'unsure'])
    expect(await finds({ type: recipeType })).toEqual([])
    expect(await finds({ status: 'todo' })).toEqual(['low', 'middle'])
    expect(await finds({ status: ['completed', 'active'] })).toEqual(['high', 'unsure', 'Größe'])
    expect(await finds({ tags: ['b', 'a'] })).toEqual(['high'])
    expect(await finds({ tags: [] })).toHaveLength(5)
    expect(await finds({ where: { 'fields.confidence': { gte: 0.5 } } })).toEqual(['high', 'middle'])
    expect(await finds({ type: 'thought', where: { 'fields.confidence': null } })).toEqual(['unsure'])
    expect(await finds({ where: { not: { priority: 'high' }, status: 'todo' } })).toEqual(['low'])
    expect(await finds({ type: 'thought', status: 'todo', tags: ['b'], where: { 'fields.confidence': 0.5 } })).toEqual([
      'middle',
    ])
  },

  'lists of values find fields, attributes and ids among many minions': async (client, context) => {
    const created = await client.createMany(
      'thought',
      times(40, (index) => ({
        title: `thought ${index}`,
        fields: { content: 'the same', confidence: index / 100 },
      })),
    )
    const { id } = created[7] as Minion
    const check = async (asked: MinionsAccess) => {
      for (const where of [
        { 'fields.confidence': { in: [0.07] } },
        { title: { in: ['thought 7', 'nobody'] } },
        { id: { in: [id, 'nobody'] } },
        { or: [{ 'fields.confidence': { in: [0.07, 7] } }, { description: { in: ['none'] } }] },
      ]) {
        expect(titles((await asked.find({ where })).items), JSON.stringify(where)).toEqual(['thought 7'])
        expect(await asked.count({ type: 'thought', where })).toBe(1)
        if (!context.backend.capabilities.search) continue
        expect(titles((await asked.search('same', { where })).items)).toEqual(['thought 7'])
      }
    }
    await check(client)
    await client.transaction(check)
  },

  'ordered as requested, page by page': async (client) => {
    await filled(client)
    const orderBy = [{ field: 'fields.confidence', direction: 'desc' as const }]
    const all = titles((await client.find({ orderBy })).items)
    expect(all.slice(0, 3)).toEqual(['high', 'middle', 'low'])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.find({ orderBy, limit: 2, ...(cursor && { cursor }) })
      seen.push(...titles(page.items))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen).toEqual(all)
    const { nextCursor = '' } = await client.find({ limit: 1 })
    await failure(client.find({ limit: 1, type: 'note', cursor: nextCursor }), 'INVALID_CURSOR')
    await failure(client.find({ cursor: 'damaged' }), 'INVALID_CURSOR')
  },

  'a query that cannot be answered is refused': async (client) => {
    await failure(client.find({ type: 'nonsense' }), 'NOT_FOUND')
    await failure(client.count({ type: 'nonsense' }), 'NOT_FOUND')
    const wrong = [
      { tag: 'a' },
      { tags: 'a' },
      { limit: -1 },
      { where: { title: { like: 'x' } } },
      { orderBy: [{ field: 'tags' }] },
    ]
    for (const query of wrong) await failure(client.find(query as MinionQuery), 'INVALID_QUERY')
    await failure(client.search(5 as never), 'INVALID_QUERY')
  },

  'a misspelt name is refused with the nearest one, in conditions and orders': async (client) => {
    const named = async (query: MinionQuery) => {
      const { message, details } = await failure(client.find(query), 'INVALID_QUERY')
      await failure(client.search('word', query), 'INVALID_QUERY')
      if (!query.orderBy) expect((await failure(client.count(query), 'INVALID_QUERY')).message).toBe(message)
      expect(message).toContain(details.nearest ?? 'it has id, title')
      return details.nearest
    }
    const both = async (field: string, type?: MinionQuery['type']) => {
      const rest = type === undefined ? {} : { type }
      const nearest = await named({ ...rest, where: { or: [{ not: { [field]: { in: ['x'] } } }] } })
      expect(await named({ ...rest, orderBy: [{ field: 'title' }, { field }] })).toBe(nearest)
      return nearest
    }
    expect(await both('titel')).toBe('title')
    expect(await both('Priorty', 'note')).toBe('priority')
    expect(await both('created_at')).toBe('createdAt')
    expect(await both('fieds.servings')).toBe('fields')
    expect(await both('nonsense')).toBeUndefined()
    expect(await both('fields.serving', recipeType)).toBe('fields.servings')
    expect(await both('fields.serving', recipeType.slug)).toBe('fields.servings')
    expect(await both('servings', recipeType)).toBe('fields.servings')
    expect(await both('fields.title', recipeType)).toBe('title')
    expect((await failure(client.find({ where: { servings: 1 } }), 'INVALID_QUERY')).message).toContain(
      '"fields.servings"',
    )
    expect((await failure(client.find({ orderby: [] } as MinionQuery), 'INVALID_QUERY')).message).toContain('orderBy')
  },

  'names that a minion has, or may have, are accepted': async (client) => {
    await client.create(recipeType, { title: 'Stew', fields: { servings: 4, kept: { by: 'us' } } as never })
    const finds = async (query: MinionQuery) => titles((await client.find(query)).items)
    expect(await finds({ where: { 'fields.kept.by': 'us' } })).toEqual(['Stew'])
    expect(await finds({ type: recipeType, where: { 'fields.servings': 4, '_legacy.old': null } })).toEqual(['Stew'])
    expect(await finds({ type: recipeType, orderBy: [{ field: 'fields.source.host' }] })).toEqual(['Stew'])
    await client.transaction(async (tx) => {
      await tx.types.evolve(recipeType.id, [...recipeType.schema, { name: 'cuisine', type: 'string' }])
    })
    expect(await finds({ type: recipeType, where: { 'fields.cuisine': null } })).toEqual(['Stew'])
  },

  'a field that another client has added to a type is known to queries': async (client, context) => {
    const other = await Minions.open({ storage: await context.connect(), types: [recipeType] })
    await client.types.evolve(recipeType.id, [...recipeType.schema, { name: 'cuisine', type: 'string' }])
    const query = { type: recipeType.slug as string, where: { 'fields.cuisine': 'thai' } }
    expect(await other.count(query)).toBe(0)
    await failure(other.find({ ...query, where: { 'fields.cuisin': 'thai' } }), 'INVALID_QUERY')
  },

  'search finds by title, description, tags and strings of fields, ignoring case and accents': async (
    client,
    context,
  ) => {
    await filled(client)
    if (!context.backend.capabilities.search) {
      await failure(client.search('word'), 'CAPABILITY_MISSING')
      return
    }
    const { id } = await client.create('note', {
      title: 'Crème',
      description: 'Brûlée',
      tags: ['Ünique'],
      fields: { content: 'mail anna@example.org v1.2' },
    })
    const finds = async (text: string, query: MinionQuery = {}) => titles((await client.search(text, query)).items)
    for (const text of ['creme', 'BRUL', 'unique', 'anna@example', 'v1.2 creme', 'exam mail']) {
      expect(await finds(text), text).toEqual(['Crème'])
    }
    expect(await finds('grosse')).toEqual([])
    expect(await finds('GRÖ')).toEqual(['Größe'])
    expect(
      await finds('about', { where: { 'fields.confidence': { gt: 0.3 } }, orderBy: [{ field: 'title' }] }),
    ).toEqual(['high', 'middle'])
    const first = await client.search('about', { limit: 3 })
    const second = await client.search('about', { limit: 3, cursor: first.nextCursor as string })
    expect([...titles(first.items), ...titles(second.items)]).toEqual(['low', 'high', 'middle', 'unsure'])
    await client.update(id, { title: 'Pudding' })
    expect([await finds('creme'), await finds('pudd')]).toEqual([[], ['Pudding']])
    await client.softDelete(id)
    expect([await finds('pudd'), await finds('pudd', { includeDeleted: true })]).toEqual([[], ['Pudding']])
  },

  'types described as minions appear only when that type is queried': async (client) => {
    const { id, title, description, fields } = typeToMinion(recipeType)
    await client.create('minion-type', { id, title, description: description ?? null, fields: fields as never })
    await note(client, 'plain')
    expect([await client.count(), titles((await client.find()).items)]).toEqual([1, ['plain']])
    expect(titles((await client.find({ type: 'minion-type' })).items)).toEqual(['Recipe'])
    expect(await client.count({ type: 'minion-type' })).toBe(1)
  },
})
