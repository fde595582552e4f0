import { expect, test } from 'vitest'
import { Minions, relationLabel } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

test('a relation of one’s own is one of the twelve with a label, which queries know', async () => {
  const minions = await Minions.open({ storage: memoryStorage() })
  try {
    const [a, b] = [await minions.create('task', { title: 'A' }), await minions.create('task', { title: 'B' })]
    const ends = { sourceId: a.id, targetId: b.id, type: 'relates_to' } as const
    await minions.link(ends)
    const labelled = await minions.link({ ...ends, metadata: { label: 'reviewed_by', weight: 1 } })
    expect(relationLabel(labelled)).toBe('reviewed_by')
    expect(await minions.relations(a.id, { label: 'reviewed_by' })).toEqual([labelled])
    expect((await minions.findRelations({ labels: ['reviewed_by', 'read_by'] })).items).toEqual([labelled])
    expect((await minions.findRelations({ labels: [] })).items).toEqual([])
    expect(await minions.relations(a.id)).toHaveLength(2)
  } finally {
    await minions.close()
  }
})

test.each([undefined, null, 'text', [], {}, { label: 1 }, { label: '' }])('metadata %j has no label', (metadata) => {
  expect(relationLabel({ metadata })).toBeUndefined()
})
