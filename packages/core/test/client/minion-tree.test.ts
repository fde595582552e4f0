import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MinionTree, minionTree } from '../../src/client/index.js'
import { type Minion, Minions } from '../../src/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

/** The tree, read one minion at a time. */
async function plainTree(client: Minions, minion: Minion, opened = new Set<string>()): Promise<MinionTree> {
  const children: MinionTree[] = []
  if (opened.has(minion.id)) return { minion, children }
  opened.add(minion.id)
  for (const child of await client.children(minion.id)) children.push(await plainTree(client, child, opened))
  return { minion, children }
}

async function openWith(size: number): Promise<Minions> {
  const client = await Minions.open({ storage: memoryStorage() })
  const notes = Array.from({ length: size }, (_, index) => ({
    id: `n${index}`,
    title: `Note ${index}`,
    fields: { content: 'x' },
  }))
  await client.createMany('note', notes)
  return client
}

const parentOf = (client: Minions, source: number, target: number) =>
  client.link({ sourceId: `n${source}`, targetId: `n${target}`, type: 'parent_of' })

describe('minionTree', () => {
  it('is what reading one minion at a time gives, with cycles, shared children and deleted minions', async () => {
    const graphs = fc.integer({ min: 1, max: 12 }).chain((size) => {
      const node = fc.nat({ max: size - 1 })
      return fc.record({
        size: fc.constant(size),
        edges: fc.uniqueArray(fc.tuple(node, node), { maxLength: 3 * size, size: 'max', selector: String }),
        deleted: fc.uniqueArray(node, { maxLength: 3 }),
      })
    })
    await fc.assert(
      fc.asyncProperty(graphs, async ({ size, edges, deleted }) => {
        const client = await openWith(size)
        for (const [source, target] of edges) await parentOf(client, source, target)
        for (const index of deleted) await client.softDelete(`n${index}`)
        const root = (await client.get('n0')) as Minion
        expect(await minionTree(client, 'n0')).toEqual(await plainTree(client, root))
        await client.close()
      }),
      { numRuns: 60 },
    )
  })

  it('refuses an unknown id', async () => {
    const client = await openWith(1)
    await expect(minionTree(client, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await client.close()
  })
})
