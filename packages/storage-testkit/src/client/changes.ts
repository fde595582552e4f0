import type { Minions } from '@minions/core'
import type { ClientChange } from '@minions/core/client'
import { expect } from 'vitest'
import { feedCasesOnClient } from '../case.js'
import { failure } from '../failure.js'
import { note, recipeType } from './support.js'

export const changes = feedCasesOnClient('changes of the client', [recipeType], {
  'minions, relations and types are reported, minions with their type, author and current state': async (client) => {
    const { cursor } = await client.listChanges()
    const a = await client.create('note', { title: 'A', fields: { content: 'x' } }, { by: 'ada' })
    const b = await note(client, 'b')
    const relation = await client.link({ sourceId: a.id, targetId: b.id, type: 'blocks' })
    await client.types.evolve('kit-recipe', [...recipeType.schema, { name: 'more', type: 'string' }])
    const found = await all(client, { since: cursor })
    expect(found.map(({ collection, key }) => `${collection} ${key}`)).toEqual([
      `minions ${a.id}`,
      `minions ${b.id}`,
      `relations ${relation.id}`,
      'types kit-recipe',
    ])
    expect(found[0]).toMatchObject({ kind: 'put', type: 'builtin-note', minion: a, by: 'ada' })
    expect(found[1]).not.toHaveProperty('by')
    expect(found[2]).not.toHaveProperty('minion')
    await client.update(a.id, { title: 'A2' }, { by: 'bob' })
    await client.softDelete(b.id, { by: 'eve' })
    const [created] = await all(client, { since: cursor, ids: [a.id] })
    expect(created).toMatchObject({ minion: { title: 'A2' } })
    expect(created).not.toHaveProperty('by')
    const later = await all(client, { since: found.at(-1)?.cursor })
    expect(later.map(({ key, kind, by }) => [key, kind, by])).toEqual([
      [a.id, 'put', 'bob'],
      [b.id, 'put', 'eve'],
    ])
  },

  'changes are selected by type and id, and a purged minion still has its type': async (client) => {
    const { cursor: since } = await client.listChanges()
    const a = await note(client, 'a')
    const cake = await client.create(recipeType, { title: 'Cake', fields: { servings: 4 } })
    await client.update(cake.id, { fields: { servings: 5 } })
    await client.hardDelete(a.id)
    const recipes = await all(client, { since, types: [recipeType, 'task'] })
    expect(recipes.map(({ key, type }) => [key, type])).toEqual([
      [cake.id, 'kit-recipe'],
      [cake.id, 'kit-recipe'],
    ])
    const notes = await all(client, { since, types: ['note'] })
    expect(notes.map(({ key, kind, type }) => [key, kind, type])).toEqual([[a.id, 'delete', 'builtin-note']])
    expect((await all(client, { since, ids: [a.id] })).map(({ kind }) => kind)).toEqual(['put', 'delete'])
    expect(await all(client, { since, ids: [a.id], types: ['task'] })).toEqual([])
    await failure(client.listChanges({ since, types: ['no-such-type'] }), 'NOT_FOUND')
    await failure(client.changes({ since, types: ['no-such-type'] }).next(), 'NOT_FOUND')
    // Also where nothing selected has a type, or nothing exists at all.
    await failure(client.listChanges({ since, types: ['no-such-type'], limit: 1 }), 'NOT_FOUND')
    await failure(client.listChanges({ since: 'now', types: ['no-such-type'] }), 'NOT_FOUND')
  },

  'other collections are reported on request, and misspelt ones are refused': async (client) => {
    const everything = await all(client, { since: 'start', collections: 'all' })
    const collections = new Set(everything.map(({ collection }) => collection))
    expect([...collections]).toEqual(expect.arrayContaining(['types', 'type_slugs']))
    const own = await all(client, { since: 'start' })
    const types = everything.filter(({ collection }) => collection === 'types')
    expect(own.map(({ key }) => key)).toEqual(types.map(({ key }) => key))
    expect(await all(client, { since: 'start', collections: ['relations'] })).toEqual([])
    const error = await failure(client.listChanges({ collections: ['relation'] }), 'NOT_FOUND')
    expect(error.message).toContain('did you mean "relations"?')
    await failure(client.changes({ since: 'start', collections: ['relation'] }).next(), 'NOT_FOUND')
  },

  'a follower receives every change of its kind, until the client is closed': async (client) => {
    const heard: unknown[] = []
    const { cursor: since } = await client.listChanges()
    const listening = (async () => {
      for await (const { minion } of client.changes({ since, types: ['note'] })) heard.push(minion?.title)
      return 'ended'
    })()
    await client.create('task', { title: 'a task' })
    for (const title of ['a', 'b', 'c']) await note(client, title)
    while (heard.length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
    await client.close()
    expect(await listening).toBe('ended')
    expect(heard).toEqual(['a', 'b', 'c'])
  },
})

async function all(client: Minions, query: Parameters<Minions['listChanges']>[0]): Promise<ClientChange[]> {
  const found: ClientChange[] = []
  for (let since = query?.since, more = true; more; ) {
    const page = await client.listChanges({ ...query, since, limit: 2 })
    found.push(...page.items)
    since = page.cursor
    more = page.more
  }
  return found
}
