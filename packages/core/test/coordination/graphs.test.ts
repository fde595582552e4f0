import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CyclesOptions,
  cyclesOf,
  type Digraph,
  dependencyOrder,
  stronglyConnected,
  topologicalOrder,
} from '../../src/coordination/index.js'

/** Graphs of several sizes, sparse and dense. An edge to the node itself may be among them. */
const graphs: fc.Arbitrary<Digraph> = fc
  .integer({ min: 0, max: 12 })
  .chain((size) =>
    fc.array(fc.uniqueArray(fc.nat(Math.max(0, size - 1)), { maxLength: 3 }), { minLength: size, maxLength: size }),
  )

const acyclic = graphs.map((graph) => graph.map((targets, node) => targets.filter((target) => target > node)))

/** Which nodes can be reached from which, over one edge or more (Warshall). */
function closure(graph: Digraph): boolean[][] {
  const reach = graph.map((targets) => graph.map((_, node) => targets.includes(node)))
  for (const via of graph.keys()) {
    for (const row of reach) {
      if (row[via]) for (const to of graph.keys()) row[to] = row[to] || reach[via]?.[to] === true
    }
  }
  return reach
}

describe('topologicalOrder', () => {
  it('places every node behind those that lead to it', () => {
    fc.assert(
      fc.property(acyclic, (graph) => {
        const order = topologicalOrder(graph)
        expect([...order].sort((a, b) => a - b)).toEqual([...graph.keys()])
        graph.forEach((targets, node) => {
          for (const target of targets) expect(order.indexOf(node)).toBeLessThan(order.indexOf(target))
        })
      }),
      { seed: 1 },
    )
  })

  it('leaves out what lies on a cycle or behind one', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const reach = closure(graph)
        const isBlocked = (node: number) => reach.some((row, other) => row[other] && (other === node || row[node]))
        expect(topologicalOrder(graph).sort((a, b) => a - b)).toEqual(
          [...graph.keys()].filter((node) => !isBlocked(node)),
        )
      }),
      { seed: 1 },
    )
  })
})

describe('stronglyConnected', () => {
  it('gives two nodes one number exactly when each leads to the other', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const reach = closure(graph)
        const component = stronglyConnected(graph)
        for (const one of graph.keys()) {
          for (const other of graph.keys()) {
            const isSame = one === other || (reach[one]?.[other] && reach[other]?.[one])
            expect(component[one] === component[other]).toBe(Boolean(isSame))
          }
        }
      }),
      { seed: 1 },
    )
  })
})

describe('cyclesOf', () => {
  const covers = (graph: Digraph, options?: CyclesOptions) => {
    const reach = closure(graph)
    const cycles = [...cyclesOf(graph, options)]
    for (const cycle of cycles) {
      for (const [index, node] of cycle.entries()) expect(graph[node]).toContain(cycle[(index + 1) % cycle.length])
      expect(new Set(cycle).size).toBe(cycle.length)
    }
    const edges = graph.flatMap((targets, node) =>
      targets.filter((to) => reach[to]?.[node] || to === node).map((to) => `${node} ${to}`),
    )
    return { cycles, edges }
  }

  it('covers every edge that lies on a cycle, and no other', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { cycles, edges } = covers(graph)
        const covered = cycles.flatMap((cycle) =>
          cycle.map((node, index) => `${node} ${cycle[(index + 1) % cycle.length]}`),
        )
        expect([...new Set(covered)].sort()).toEqual(edges.sort())
      }),
      { seed: 1 },
    )
  })

  it('begins with the edges that it is given first', () => {
    const graph = [[1], [0, 2], [1]]
    const edges = [
      [2, 1],
      [1, 2],
      [1, 0],
      [0, 1],
    ] as const
    expect([...cyclesOf(graph)]).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect([...cyclesOf(graph, { edges })]).toEqual([
      [2, 1],
      [1, 0],
    ])
  })

  it('lists one of each component if told to', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { cycles } = covers(graph, { most: 1 })
        const component = stronglyConnected(graph)
        const reach = closure(graph)
        const knots = new Set([...graph.keys()].filter((node) => reach[node]?.[node]).map((node) => component[node]))
        expect(cycles.map(([node]) => component[node as number]).sort()).toEqual([...knots].sort())
      }),
      { seed: 1 },
    )
  })
})

describe('dependencyOrder', () => {
  it('puts dependencies first and reads only what it needs, or shows a cycle', () => {
    fc.assert(
      fc.property(graphs, fc.array(fc.nat(11), { maxLength: 4 }), (graph, wanted) => {
        const starts = wanted.filter((node) => node < graph.length)
        const reach = closure(graph)
        const needed = [...graph.keys()].filter((node) =>
          starts.some((start) => start === node || reach[start]?.[node]),
        )
        const read = new Set<number>()
        const { order, cycle } = dependencyOrder(starts, (node) => {
          read.add(node)
          return graph[node] ?? []
        })
        expect(needed).toEqual(expect.arrayContaining([...read]))
        expect(cycle !== undefined).toBe(needed.some((node) => reach[node]?.[node]))
        if (cycle !== undefined) {
          expect(cycle[0]).toBe(cycle.at(-1))
          for (const [index, node] of cycle.slice(1).entries()) expect(graph[cycle[index] as number]).toContain(node)
        } else {
          expect([...order].sort((a, b) => a - b)).toEqual(needed)
          for (const node of order) {
            for (const other of graph[node] ?? []) expect(order.indexOf(other)).toBeLessThan(order.indexOf(node))
          }
        }
      }),
      { seed: 1 },
    )
  })

  it('keeps the order given where nothing else decides', () => {
    expect(dependencyOrder(['b', 'a', 'c'], (node) => (node === 'b' ? ['c'] : []))).toEqual({ order: ['c', 'b', 'a'] })
  })
})

it('walks a chain of 100,000 without recursion', () => {
  const chain = Array.from({ length: 100_000 }, (_, node) => (node < 99_999 ? [node + 1] : []))
  expect(topologicalOrder(chain).at(-1)).toBe(99_999)
  expect(dependencyOrder([0], (node) => chain[node] ?? []).order?.[0]).toBe(99_999)
  const closed = [...chain.slice(0, -1), [0]]
  expect([...cyclesOf(closed)].map(({ length }) => length)).toEqual([100_000])
})
