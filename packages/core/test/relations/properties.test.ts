import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Relation, RelationGraph, type RelationType } from '../../src/index.js'

fc.configureGlobal({ seed: 616 })

const types = ['parent_of', 'depends_on', 'relates_to'] as const satisfies RelationType[]
const minionIds = ['a', 'b', 'c', 'd', 'e', 'f']
const link = fc.record({
  sourceId: fc.constantFrom(...minionIds),
  targetId: fc.constantFrom(...minionIds),
  type: fc.constantFrom(...types),
})
type Action =
  | { add: { sourceId: string; targetId: string; type: RelationType } }
  | { remove: number }
  | { purge: string }
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: link.map((add) => ({ add })) },
  { weight: 2, arbitrary: fc.nat(30).map((remove) => ({ remove })) },
  { weight: 1, arbitrary: fc.constantFrom(...minionIds).map((purge) => ({ purge })) },
)

/** Applies actions to a graph and to a plain list, which is the model. */
function apply(actions: readonly Action[]): { graph: RelationGraph; model: Relation[] } {
  let count = 0
  const graph = new RelationGraph({ clock: () => 0, generateId: () => `r${count++}` })
  let model: Relation[] = []
  for (const each of actions) {
    if ('add' in each) model.push(graph.add(each.add))
    else if ('remove' in each) {
      const id = `r${each.remove}`
      expect(graph.remove(id)).toBe(model.some((relation) => relation.id === id))
      model = model.filter((relation) => relation.id !== id)
    } else {
      const kept = model.filter(({ sourceId, targetId }) => sourceId !== each.purge && targetId !== each.purge)
      expect(graph.removeByMinionId(each.purge)).toBe(model.length - kept.length)
      model = kept
    }
    // Looking in between makes sure that what was remembered is forgotten again.
    for (const id of minionIds) graph.getNetwork(id)
  }
  return { graph, model }
}

const history = fc.array(action, { maxLength: 40, size: 'max' }).map(apply)

describe('RelationGraph', () => {
  it('answers look-ups like a plain list', () => {
    fc.assert(
      fc.property(history, ({ graph, model }) => {
        expect(graph.list()).toEqual(model)
        for (const id of minionIds) {
          const outgoing = model.filter(({ sourceId }) => sourceId === id)
          const incoming = model.filter(({ targetId }) => targetId === id)
          expect(graph.getFromSource(id)).toEqual(outgoing)
          expect(graph.getToTarget(id)).toEqual(incoming)
          for (const type of types) {
            expect(graph.getFromSource(id, type)).toEqual(outgoing.filter((relation) => relation.type === type))
            expect(graph.getToTarget(id, type)).toEqual(incoming.filter((relation) => relation.type === type))
          }
          const hierarchy = outgoing.filter(({ type }) => type === 'parent_of').map(({ targetId }) => targetId)
          expect(graph.getChildren(id)).toEqual([...new Set(hierarchy)].filter((child) => child !== id))
          const neighbours = [...outgoing.map(({ targetId }) => targetId), ...incoming.map(({ sourceId }) => sourceId)]
          expect(graph.getNetwork(id).sort()).toEqual([...new Set(neighbours)].filter((each) => each !== id).sort())
        }
      }),
      { numRuns: 300 },
    )
  })

  it('walks exactly what can be reached, and shortest paths are paths and shortest', () => {
    fc.assert(
      fc.property(history, ({ graph, model }) => {
        const hierarchy = distances(model.filter(({ type }) => type === 'parent_of'))
        const any = distances(model)
        for (const from of minionIds) {
          const others = minionIds.filter((id) => id !== from)
          expect(graph.getTree(from).sort()).toEqual(others.filter((to) => hierarchy(from, to) < Infinity))
          expect(graph.ancestors(from).sort()).toEqual(others.filter((to) => hierarchy(to, from) < Infinity))
          for (const to of others) {
            const path = graph.path(from, to)
            expect(path.length).toBe(any(from, to) === Infinity ? 0 : any(from, to) + 1)
            expectChain(path, model)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  it('finds cycles through exactly the relations that lie on one, each cycle once', () => {
    fc.assert(
      fc.property(history, ({ graph, model }) => {
        const relations = model.filter(({ type, sourceId, targetId }) => type === 'depends_on' && sourceId !== targetId)
        const distance = distances(relations)
        const cycles = graph.findCycles('depends_on')
        const onCycles = new Set<string>()
        for (const cycle of cycles) {
          const closed = [...cycle, cycle[0] as string]
          expectChain(closed, relations)
          expect(new Set(cycle).size).toBe(cycle.length)
          closed.slice(1).forEach((target, index) => void onCycles.add(`${closed[index]} ${target}`))
        }
        const expected = relations.filter(({ sourceId, targetId }) => distance(targetId, sourceId) < Infinity)
        expect([...onCycles].sort()).toEqual(
          [...new Set(expected.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`))].sort(),
        )
        expect(new Set(cycles.map(rotated)).size).toBe(cycles.length)
      }),
      { numRuns: 300 },
    )
  })

  it('orders minions unless there is a cycle', () => {
    fc.assert(
      fc.property(history, ({ graph, model }) => {
        const relations = model.filter(({ type }) => type === 'depends_on')
        if (graph.findCycles('depends_on').length > 0) {
          expect(() => graph.topologicalOrder('depends_on')).toThrow(expect.objectContaining({ code: 'CYCLE' }))
          return
        }
        const order = graph.topologicalOrder('depends_on')
        const members = new Set(relations.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))
        expect([...order].sort()).toEqual([...members].sort())
        for (const { sourceId, targetId } of relations) {
          if (sourceId !== targetId) expect(order.indexOf(targetId)).toBeLessThan(order.indexOf(sourceId))
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** All distances by Floyd and Warshall, as a second opinion. */
function distances(relations: readonly Relation[]): (from: string, to: string) => number {
  const table = new Map<string, number>()
  const get = (from: string, to: string) => (from === to ? 0 : (table.get(`${from} ${to}`) ?? Infinity))
  for (const { sourceId, targetId } of relations) table.set(`${sourceId} ${targetId}`, 1)
  for (const via of minionIds) {
    for (const from of minionIds) {
      for (const to of minionIds) {
        table.set(`${from} ${to}`, Math.min(get(from, to), get(from, via) + get(via, to)))
      }
    }
  }
  return get
}

function expectChain(ids: readonly string[], relations: readonly Relation[]): void {
  ids.slice(1).forEach((id, index) => {
    expect(relations.some(({ sourceId, targetId }) => sourceId === ids[index] && targetId === id)).toBe(true)
  })
}

function rotated(cycle: readonly string[]): string {
  const start = cycle.indexOf([...cycle].sort()[0] as string)
  return [...cycle.slice(start), ...cycle.slice(0, start)].join(' ')
}
