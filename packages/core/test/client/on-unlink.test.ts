import { expect, test } from 'vitest'
import { Minions, type Relation } from '../../src/index.js'
import { relationsCollection } from '../../src/storage/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

test('every removed relation is told inside its transaction, also one that goes with a purged minion', async () => {
  const seen: [Relation, Relation | undefined][] = []
  const client = await Minions.open({
    storage: memoryStorage(),
    async onUnlink(relation, tx) {
      if (relation.type === 'blocks') throw new Error('refused')
      seen.push([relation, await tx.get(relationsCollection, relation.id)])
    },
  })
  const a = await client.create('note', { title: 'a', fields: { content: 'a' } })
  const b = await client.create('note', { title: 'b', fields: { content: 'b' } })
  const ends = { sourceId: a.id, targetId: b.id }
  const link = await client.link({ ...ends, type: 'relates_to' })
  const other = await client.link({ ...ends, type: 'references' })
  const blocking = await client.link({ ...ends, type: 'blocks' })
  await client.unlink(link.id)
  await expect(client.unlink(blocking.id)).rejects.toThrow('refused')
  await expect(client.hardDelete(b.id)).rejects.toThrow('refused')
  expect(await client.relations(a.id)).toHaveLength(2)
  await client.storage.delete(relationsCollection, blocking.id)
  seen.length = 1
  await client.hardDelete(b.id)
  expect(seen).toEqual([
    [link, undefined],
    [other, undefined],
  ])
  await client.close()
})
