import { describe, expect, it } from 'vitest'
import { RelationGraph } from '../../src/index.js'

const SIZE = 100_000
let count = 0
const options = { clock: () => 0, generateId: () => `r${count++}` }

// What is not linear here takes minutes, and more than a test may take.
describe('large graphs', () => {
  const chain = new RelationGraph(options)
  for (let index = 0; index < SIZE; index++) {
    chain.add({ sourceId: `m${index}`, targetId: `m${index + 1}`, type: 'parent_of' })
  }

  it('walks a chain of 100,000 without recursion', () => {
    expect(chain.getTree('m0')).toHaveLength(SIZE)
    expect(chain.ancestors(`m${SIZE}`)).toHaveLength(SIZE)
    expect(chain.path('m0', `m${SIZE}`)).toHaveLength(SIZE + 1)
    expect(chain.topologicalOrder('parent_of')[SIZE]).toBe(`m${SIZE}`)
    expect(chain.findCycles('parent_of')).toEqual([])
  })

  it('finds a cycle of 100,000 and refuses to order it, with a short message', () => {
    const { id } = chain.add({ sourceId: `m${SIZE}`, targetId: 'm0', type: 'parent_of' })
    expect(chain.findCycles('parent_of').map((cycle) => cycle.length)).toEqual([SIZE + 1])
    expect(() => chain.topologicalOrder('parent_of')).toThrow(/cycle: m0 → m1 → .{0,100} … \(100001 minions\)/)
    chain.remove(id)
  })

  it('looks up and removes at a cost that depends on the degree, not on the size', () => {
    for (let index = 0; index < SIZE; index++) {
      expect(chain.getChildren('m50').length + chain.getToTarget('m50').length + chain.getNetwork('m50').length).toBe(4)
      chain.removeByMinionId('x')
      chain.remove(chain.add({ sourceId: 'm50', targetId: 'x', type: 'blocks' }).id)
    }
  })

  it('removes a hub with 100,000 relations, at once or one by one', () => {
    const star = () => {
      const graph = new RelationGraph(options)
      const ids: string[] = []
      for (let index = 0; index < SIZE; index++) {
        ids.push(graph.add({ sourceId: 'hub', targetId: `m${index}`, type: 'parent_of' }).id)
      }
      return { graph, ids }
    }
    const first = star()
    const second = star()
    expect(first.graph.removeByMinionId('hub')).toBe(SIZE)
    for (const id of second.ids) second.graph.remove(id)
    expect([...first.graph.list(), ...second.graph.list()]).toEqual([])
  })

  it('does not drown in the cycles of a dense graph', () => {
    const graph = new RelationGraph(options)
    const nodes = Array.from({ length: 120 }, (_, index) => `m${index}`)
    for (const sourceId of nodes) {
      for (const targetId of nodes) graph.add({ sourceId, targetId, type: 'relates_to' })
    }
    expect(graph.findCycles('relates_to')).toHaveLength(100)
    expect(() => graph.topologicalOrder('relates_to')).toThrow(expect.objectContaining({ code: 'CYCLE' }))
  })
})
