import { expect, test } from 'vitest'
import { Minions, type Relation } from '../../src/index.js'
import { relationsCollection } from '../../src/storage/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

test('every new relation is told inside its transaction, which can be refused', async () => {
  const seen: [Relation, Relation | undefined][] = []
  const client = await Minions.open({
    storage: memoryStorage(),
    async onLink(relation, tx) {
      if (relation.type === 'blocks') throw new Error('refused')
      seen.push([relation, await tx.get(relationsCollection, relation.id)])
    },
  })
  const a = await client.create('note', { title: 'a', fields: { content: 'a' } })
  const b = await client.create('note', { title: 'b', fields: { content: 'b' } })
  const link = await client.link({ sourceId: a.id, targetId: b.id, type: 'relates_to' })
  const inside = await client.transaction((tx) => tx.link({ sourceId: b.id, targetId: a.id, type: 'relates_to' }))
  expect(seen).toEqual([
    [link, link],
    [inside, inside],
  ])
  await expect(client.link({ sourceId: a.id, targetId: b.id, type: 'blocks' })).rejects.toThrow('refused')
  expect(await client.relations(a.id)).toHaveLength(2)
  await client.close()
})
