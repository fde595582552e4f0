import { expect, it } from 'vitest'
import { minionsCollection, relationsCollection } from '../../src/client/collections.js'
import { minionTree } from '../../src/client/relations/minion-tree.js'
import { Minions } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/memory-storage.js'

it('finds more neighbours than a function can have arguments', async () => {
  await using client = await Minions.open({ storage: memoryStorage() })
  const parent = await client.create('note', { id: 'parent', title: 'Parent', fields: { content: 'x' } })
  const ids = Array.from({ length: 130_000 }, (_, index) => `child-${index}`)
  const minions = ids.map((id) => ({ ...parent, id, fields: {}, searchableText: '' }))
  await client.storage.putMany(minionsCollection, minions)
  const relation = { sourceId: 'parent', type: 'parent_of', createdAt: parent.createdAt } as const
  const relations = ids.map((id) => ({ ...relation, id: `to-${id}`, targetId: id }))
  await client.storage.putMany(relationsCollection, relations)
  expect((await client.children('parent')).length).toBe(ids.length)
  expect((await minionTree(client, 'parent')).children.length).toBe(ids.length)
}, 120_000)
