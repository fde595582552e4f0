import {
  defineType,
  everyPage,
  type Minions,
  type MinionsAccess,
  RELATION_TYPES,
  type Relation,
  type RelationQuery,
  type RelationType,
} from '@minions/core'
import { relationsCollection } from '@minions/core/storage'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { failure } from '../failure.js'
import { changesNothing, note, noteInputs, titles } from './support.js'

/** Notes by title, and relations between them written `a parent_of b`. */
async function graph(client: Minions, ...sentences: string[]): Promise<(title: string) => string> {
  const ids = new Map<string, string>()
  const idOf = async (title: string) => {
    if (!ids.has(title)) ids.set(title, (await note(client, title)).id)
    return ids.get(title) as string
  }
  for (const sentence of sentences) {
    const [source = '', type = '', target = ''] = sentence.split(' ')
    await client.link({ sourceId: await idOf(source), targetId: await idOf(target), type: type as RelationType })
  }
  return (title) => ids.get(title) as string
}

export const relations = casesOnClient('relations', [], {
  'link stores a relation with its metadata, relations lists it from both ends, unlink removes it': async (client) => {
    const [a, b] = [await note(client, 'a'), await note(client, 'b')]
    const metadata = { weight: 0.5, why: ['x'] }
    const relation = await client.link({ sourceId: a.id, targetId: b.id, type: 'references', metadata }, { by: 'anna' })
    expect(relation).toMatchObject({ sourceId: a.id, targetId: b.id, type: 'references', metadata, createdBy: 'anna' })
    expect(await client.relations(a.id)).toEqual([relation])
    expect(await client.relations(b.id, { direction: 'incoming', type: 'references' })).toEqual([relation])
    expect(await client.relations(a.id, { direction: 'incoming' })).toEqual([])
    expect(await client.relations(b.id, { direction: 'outgoing' })).toEqual([])
    expect(await client.relations(a.id, { type: 'blocks' })).toEqual([])
    expect(await client.unlink(relation.id)).toEqual(relation)
    expect(await client.relations(a.id)).toEqual([])
    await changesNothing(client, () => failure(client.unlink(relation.id), 'NOT_FOUND'))
  },

  'both ends must exist, except the target of an integration_link': async (client) => {
    const { id } = await note(client, 'a')
    await changesNothing(client, async () => {
      for (const type of RELATION_TYPES) {
        if (type !== 'integration_link') {
          await failure(client.link({ sourceId: id, targetId: 'nobody', type }), 'REFERENCE_VIOLATION')
        }
        await failure(client.link({ sourceId: 'nobody', targetId: id, type }), 'REFERENCE_VIOLATION')
      }
    })
    const link = await client.link({ sourceId: id, targetId: 'github:42', type: 'integration_link' })
    expect(await client.relations(id)).toEqual([link])
    expect(await client.network(id)).toEqual([])
  },

  'an unknown relation type, a bad id and unusable metadata are VALIDATION_FAILED': async (client) => {
    const { id } = await note(client, 'a')
    const ends = { sourceId: id, targetId: id }
    await changesNothing(client, async () => {
      await failure(client.link({ ...ends, type: 'likes' as never }), 'VALIDATION_FAILED')
      await failure(client.link({ sourceId: '../x', targetId: id, type: 'blocks' }), 'VALIDATION_FAILED')
      await failure(client.link({ ...ends, type: 'blocks', metadata: { nul: '\0' } }), 'VALIDATION_FAILED')
      await failure(client.link(null as never), 'VALIDATION_FAILED')
    })
  },

  'a relation of a minion to itself is stored and listed, and not traversed': async (client) => {
    const idOf = await graph(client, 'a parent_of a', 'a parent_of b')
    expect(await client.relations(idOf('a'))).toHaveLength(2)
    expect(titles(await client.children(idOf('a')))).toEqual(['b'])
    expect(titles(await client.descendants(idOf('a')))).toEqual(['b'])
    expect(titles(await client.ancestors(idOf('b')))).toEqual(['a'])
    expect(titles(await client.network(idOf('a')))).toEqual(['b'])
  },

  'allowedChildTypes is checked on parent_of and, in reverse, on part_of': async (_, context) => {
    const box = (id: string, allowedChildTypes?: string[]) =>
      defineType({ id, name: id, slug: id, schema: [], ...(allowedChildTypes && { allowedChildTypes }) })
    const client = await context.client({
      types: [box('any-box'), box('no-box', []), box('note-box', ['builtin-note'])],
    })
    const [any, none, notes] = await Promise.all(
      ['any-box', 'no-box', 'note-box'].map((type) => client.create(type, { title: type })),
    )
    const [child, link] = [
      await note(client, 'child'),
      await client.create('link', { title: 'l', fields: { url: 'https://x.org' } }),
    ]
    const attach = (parent: { id: string } | undefined, type: 'parent_of' | 'part_of', part: { id: string }) => {
      const [sourceId = '', targetId = ''] = type === 'parent_of' ? [parent?.id, part.id] : [part.id, parent?.id]
      return client.link({ sourceId, targetId, type })
    }
    for (const type of ['parent_of', 'part_of'] as const) {
      await attach(any, type, link)
      await attach(notes, type, child)
      await changesNothing(client, async () => {
        await failure(attach(none, type, child), 'VALIDATION_FAILED')
        await failure(attach(notes, type, link), 'VALIDATION_FAILED')
      })
    }
    await client.link({ sourceId: none?.id ?? '', targetId: child.id, type: 'references' })
  },

  'a relation of a minion to itself is accepted whatever children its type allows': async (_, context) => {
    const client = await context.client({
      types: [defineType({ id: 'no-box', name: 'Box', slug: 'no-box', schema: [], allowedChildTypes: [] })],
    })
    const { id } = await client.create('no-box', { title: 'box' })
    for (const type of ['parent_of', 'part_of'] as const) {
      await client.link({ sourceId: id, targetId: id, type })
    }
    expect((await client.relations(id)).map(({ type }) => type).sort()).toEqual(['parent_of', 'part_of'])
  },

  'traversals never contain the start, never repeat a minion and end on cycles': async (client) => {
    const idOf = await graph(
      client,
      'a parent_of b',
      'a parent_of c',
      'b parent_of d',
      'c parent_of d',
      'd parent_of a',
      'x blocks a',
    )
    expect(titles(await client.children(idOf('a')))).toEqual(['b', 'c'])
    expect(titles(await client.parents(idOf('d')))).toEqual(['b', 'c'])
    expect(titles(await client.descendants(idOf('a')))).toEqual(['b', 'c', 'd'])
    expect(titles(await client.ancestors(idOf('a')))).toEqual(['d', 'b', 'c'])
    expect(titles(await client.network(idOf('a'))).sort()).toEqual(['b', 'c', 'd', 'x'])
    expect(await client.descendants('nobody')).toEqual([])
  },

  'path is a shortest chain along relations of any type, both ends included': async (client) => {
    const idOf = await graph(
      client,
      'a blocks b',
      'b follows c',
      'c triggers d',
      'a references x',
      'x parent_of d',
      'd blocks a',
    )
    const path = async (from: string, to: string) => titles(await client.path(idOf(from), idOf(to)))
    expect(await path('a', 'd')).toEqual(['a', 'x', 'd'])
    expect(await path('b', 'd')).toEqual(['b', 'c', 'd'])
    expect(await path('a', 'a')).toEqual(['a'])
    const lonely = await note(client, 'lonely')
    expect(await client.path(idOf('a'), lonely.id)).toEqual([])
    expect(await client.path(idOf('a'), 'nobody')).toEqual([])
  },

  'topologicalOrder puts each minion after its dependencies, and names a cycle': async (client) => {
    const idOf = await graph(client, 'c depends_on b', 'b depends_on a', 'c depends_on a', 'p blocks q', 'q blocks p')
    expect(titles(await client.topologicalOrder('depends_on'))).toEqual(['a', 'b', 'c'])
    const error = await failure(client.topologicalOrder('blocks'), 'CYCLE')
    expect([...new Set(error.details.path as string[])].sort()).toEqual([idOf('p'), idOf('q')].sort())
    expect(await client.topologicalOrder('follows')).toEqual([])
    await failure(client.topologicalOrder('likes' as never), 'INVALID_QUERY')
  },

  'soft-deleted minions are left out of relations and traversals unless requested; restoring undoes that': async (
    client,
  ) => {
    const idOf = await graph(client, 'a parent_of b', 'b parent_of c', 'c depends_on a')
    await client.softDelete(idOf('b'))
    const include = { includeDeleted: true }
    expect(titles(await client.children(idOf('a')))).toEqual([])
    expect(titles(await client.children(idOf('a'), include))).toEqual(['b'])
    expect(titles(await client.descendants(idOf('a')))).toEqual([])
    expect(titles(await client.descendants(idOf('a'), include))).toEqual(['b', 'c'])
    expect(titles(await client.parents(idOf('c')))).toEqual([])
    expect(titles(await client.network(idOf('c')))).toEqual(['a'])
    expect(await client.path(idOf('a'), idOf('c'))).toEqual([])
    expect(await client.path(idOf('a'), idOf('c'), include)).toHaveLength(3)
    expect(await client.relations(idOf('b'))).toEqual([])
    expect(await client.relations(idOf('a'))).toHaveLength(1)
    expect(await client.relations(idOf('a'), include)).toHaveLength(2)
    await client.restore(idOf('b'))
    expect(titles(await client.descendants(idOf('a')))).toEqual(['b', 'c'])
    expect(await client.relations(idOf('b'))).toHaveLength(2)
  },

  'findRelations returns what a scan of all relations would, page by page, inside transactions too': async (client) => {
    const notes = await client.createMany('note', noteInputs(30))
    const ids = notes.map(({ id }) => id)
    const at = (index: number) => ids[index % ids.length] as string
    const kinds = ['follows', 'part_of', 'references'] as const
    const all = await client.transaction(async (tx) => {
      const linked: Relation[] = []
      for (let index = 0; index < 120; index++) {
        const ends = { sourceId: at(index), targetId: at(index * 7 + 3) }
        linked.push(await tx.link({ ...ends, type: kinds[index % 3] as RelationType }))
      }
      return linked
    })
    await client.softDelete(at(4))
    const isDeleted = ({ sourceId, targetId }: Relation) => sourceId === at(4) || targetId === at(4)
    const queries: RelationQuery[] = [
      {},
      { sourceIds: [at(1)] },
      { sourceIds: ids.slice(0, 12), types: ['follows'] },
      { targetIds: ids.slice(3, 20), types: ['part_of', 'references'] },
      { sourceIds: ids.slice(0, 20), targetIds: ids.slice(10), includeDeleted: true },
      { types: ['blocks'] },
      { sourceIds: [] },
      { targetIds: [], types: ['follows'] },
      { types: [] },
      { sourceIds: ['nobody', at(2), at(2)] },
    ]
    const sorted = (relations: readonly Relation[]) => relations.map(({ id }) => id).sort()
    const check = async (reader: MinionsAccess) => {
      for (const query of queries) {
        const { sourceIds, targetIds, types, includeDeleted } = query
        const expected = all.filter(
          (relation) =>
            (!sourceIds || sourceIds.includes(relation.sourceId)) &&
            (!targetIds || targetIds.includes(relation.targetId)) &&
            (!types || types.includes(relation.type)) &&
            (includeDeleted || !isDeleted(relation)),
        )
        for (const limit of [7, 1000]) {
          const found = await everyPage((next) => reader.findRelations({ ...query, limit, ...next }))
          expect(sorted(found)).toEqual(sorted(expected))
        }
      }
    }
    await check(client)
    await client.transaction((tx) => check(tx))
    const last = { orderBy: [{ field: 'id', direction: 'desc' }], limit: 1, includeDeleted: true } as const
    expect((await client.findRelations(last)).items[0]?.id).toBe(sorted(all).at(-1))
    await failure(client.findRelations({ sourceId: at(1) } as never), 'INVALID_QUERY')
    await failure(client.findRelations({ sourceIds: at(1) as never }), 'INVALID_QUERY')
  },

  'hard deletion removes all relations of a minion, and only those': async (client) => {
    const idOf = await graph(client, 'a parent_of b', 'b parent_of c', 'b blocks b', 'c references a')
    await client.hardDelete(idOf('b'))
    expect(await client.relations(idOf('a'))).toHaveLength(1)
    expect(await client.relations(idOf('b'), { includeDeleted: true })).toEqual([])
    expect(titles((await client.find()).items)).toEqual(['a', 'c'])
  },

  'a tree of a thousand minions is walked level by level': async (client) => {
    const all = await client.createMany('note', noteInputs(1000))
    // Stored at once: to link them one by one takes longer than everything that is tested here.
    const relations = all.slice(1).map((child, index) => ({
      id: `to-${child.id}`,
      sourceId: all[Math.floor(index / 10)]?.id ?? '',
      targetId: child.id,
      type: 'parent_of' as const,
      createdAt: new Date(index).toISOString(),
    }))
    await client.storage.putMany(relationsCollection, relations)
    const [root, last] = [all[0]?.id ?? '', all[999]?.id ?? '']
    expect(titles(await client.descendants(root))).toEqual(titles(all.slice(1)))
    expect(titles(await client.ancestors(last))).toEqual(['n99', 'n9', 'n0'])
    expect(await client.path(root, last)).toHaveLength(4)
  },
})
