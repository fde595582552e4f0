import { describe, expect, it } from 'vitest'
import { type CreateRelationInput, RELATION_TYPES, RelationGraph, type RelationType } from '../../src/index.js'

const clock = () => '2026-01-31T09:30:00.000Z'

function graphOf(...links: [source: string, type: RelationType, target: string][]): RelationGraph {
  let count = 0
  const graph = new RelationGraph({ clock, generateId: () => `r${count++}` })
  for (const [sourceId, type, targetId] of links) graph.add({ sourceId, type, targetId })
  return graph
}

describe('adding and removing', () => {
  it('stores all twelve relation types', () => {
    const graph = new RelationGraph({ clock })
    for (const type of RELATION_TYPES) graph.add({ sourceId: 'a', targetId: 'b', type })
    expect(RELATION_TYPES).toHaveLength(12)
    expect(graph.list().map(({ type }) => type)).toEqual([...RELATION_TYPES])
    for (const type of RELATION_TYPES) {
      expect(graph.getFromSource('a', type)).toEqual(graph.list().filter((relation) => relation.type === type))
    }
  })

  it('fills in id and time, and returns what it stored', () => {
    const graph = graphOf()
    const relation = graph.add({
      sourceId: 'a',
      targetId: 'b',
      type: 'blocks',
      metadata: { why: [1] },
      createdBy: 'me',
    })
    expect(relation).toStrictEqual({
      id: 'r0',
      sourceId: 'a',
      targetId: 'b',
      type: 'blocks',
      createdAt: '2026-01-31T09:30:00.000Z',
      metadata: { why: [1] },
      createdBy: 'me',
    })
    expect(graph.get('r0')).toStrictEqual(relation)
    expect(graph.get('r1')).toBeUndefined()
  })

  it('makes ids of version 4 and current times by default', () => {
    const { id, createdAt } = new RelationGraph().add({ sourceId: 'a', targetId: 'b', type: 'blocks' })
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(10_000)
  })

  it('loads stored relations as they are', () => {
    const graph = graphOf()
    const stored = {
      id: 'x/1',
      sourceId: 'a',
      targetId: 'b',
      type: 'follows' as const,
      createdAt: '2020-02-29T00:00:00+01:00',
    }
    expect(graph.add(stored)).toStrictEqual(stored)
    expect(() => graph.add(stored)).toThrow(expect.objectContaining({ code: 'UNIQUE_VIOLATION' }))
    expect(graph.list()).toEqual([stored])
  })

  it.each<[string, object, string[]]>([
    ['an unknown type', { type: 'likes' }, ['/type']],
    ['a type from the prototype chain', { type: 'constructor' }, ['/type']],
    ['no type', { type: undefined }, ['/type']],
    ['an empty source', { sourceId: '' }, ['/sourceId']],
    ['a hostile id', { sourceId: '../x', targetId: '__proto__' }, ['/sourceId', '/targetId']],
    ['ids that are no strings', { id: 1, sourceId: null, targetId: ['b'] }, ['/id', '/sourceId', '/targetId']],
    ['a day that does not exist', { createdAt: '2026-02-30T00:00:00Z' }, ['/createdAt']],
    ['a creator that is no string', { createdBy: 0 }, ['/createdBy']],
  ])('refuses %s and says all that is wrong', (_, wrong, pointers) => {
    const graph = graphOf()
    const input = { sourceId: 'a', targetId: 'b', type: 'blocks', ...wrong } as CreateRelationInput
    try {
      graph.add(input)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'VALIDATION_FAILED' })
      const { errors } = (error as { details: { errors: { pointer: string }[] } }).details
      expect(errors.map(({ pointer }) => pointer)).toEqual(pointers)
    }
    expect(graph.list()).toEqual([])
    expect(graph.getNetwork('a')).toEqual([])
  })

  it.each([undefined, null, 'x', 1])('refuses %j as a relation', (input) => {
    expect(() => graphOf().add(input as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('leaves out a creator that is absent', () => {
    for (const createdBy of [undefined, null, '']) {
      const input = { sourceId: 'a', targetId: 'b', type: 'blocks', createdBy } as CreateRelationInput
      expect(graphOf().add(input)).not.toHaveProperty('createdBy')
    }
  })

  it('refuses metadata that is not JSON', () => {
    const input = { sourceId: 'a', targetId: 'b', type: 'blocks' as const, metadata: { f: () => 1 } }
    expect(() => graphOf().add(input)).toThrow('The metadata of the relation cannot be stored: /f')
  })

  it('keeps nothing of what it is given and hands out copies only', () => {
    const graph = graphOf()
    const input = { sourceId: 'a', targetId: 'b', type: 'parent_of' as const, metadata: { list: [1] } }
    const added = graph.add(input)
    input.metadata.list.push(2)
    for (const copy of [added, ...graph.list(), ...graph.getFromSource('a'), ...graph.getToTarget('b')]) {
      copy.targetId = 'changed'
      ;(copy.metadata as { list: number[] }).list.push(3)
    }
    graph.getChildren('a').push('changed')
    graph.getParents('b').push('changed')
    expect(graph.get('r0')).toMatchObject({ targetId: 'b', metadata: { list: [1] } })
    expect(graph.getChildren('a')).toEqual(['b'])
    expect(graph.getParents('b')).toEqual(['a'])
  })

  it('removes one relation and leaves its like', () => {
    const graph = graphOf(['a', 'parent_of', 'b'], ['a', 'parent_of', 'b'], ['a', 'parent_of', 'c'])
    expect(graph.getChildren('a')).toEqual(['b', 'c'])
    expect(graph.remove('r0')).toBe(true)
    expect(graph.remove('r0')).toBe(false)
    expect(graph.getChildren('a')).toEqual(['b', 'c'])
    expect(graph.remove('r1')).toBe(true)
    expect(graph.getChildren('a')).toEqual(['c'])
    expect(graph.getParents('b')).toEqual([])
    expect(graph.list().map(({ id }) => id)).toEqual(['r2'])
  })

  it('removes all relations of a minion, whichever end it is, and counts a self-relation once', () => {
    const graph = graphOf(['a', 'blocks', 'b'], ['b', 'follows', 'c'], ['b', 'relates_to', 'b'], ['a', 'blocks', 'c'])
    expect(graph.removeByMinionId('b')).toBe(3)
    expect(graph.removeByMinionId('b')).toBe(0)
    expect(graph.list().map(({ id }) => id)).toEqual(['r3'])
    expect(graph.getNetwork('a')).toEqual(['c'])
    expect(graph.getFromSource('b')).toEqual([])
  })
})

describe('looking up', () => {
  it('lists relations in the order of addition, by source, target and type', () => {
    const graph = graphOf(['a', 'follows', 'b'], ['a', 'blocks', 'c'], ['c', 'blocks', 'a'], ['a', 'follows', 'd'])
    const ids = (relations: { id: string }[]) => relations.map(({ id }) => id)
    expect(ids(graph.getFromSource('a'))).toEqual(['r0', 'r1', 'r3'])
    expect(ids(graph.getFromSource('a', 'follows'))).toEqual(['r0', 'r3'])
    expect(ids(graph.getFromSource('a', 'parent_of'))).toEqual([])
    expect(ids(graph.getToTarget('a'))).toEqual(['r2'])
    expect(ids(graph.getToTarget('c', 'blocks'))).toEqual(['r1'])
    expect(ids(graph.getToTarget('nobody'))).toEqual([])
    expect(ids(graph.getFromSource('a', 'toString' as RelationType))).toEqual([])
    expect(ids(graph.getFromSource('__proto__'))).toEqual([])
  })

  it('takes names of object members for ordinary ids', () => {
    const graph = graphOf(['constructor', 'parent_of', 'toString'], ['toString', 'parent_of', 'valueOf'])
    expect(graph.getTree('constructor')).toEqual(['toString', 'valueOf'])
    expect(graph.ancestors('valueOf')).toEqual(['toString', 'constructor'])
    expect(graph.getTree('hasOwnProperty')).toEqual([])
  })
})

describe('walking', () => {
  it('follows parent_of down and up, each minion once, nearest first', () => {
    const graph = graphOf(
      ['a', 'parent_of', 'b'],
      ['a', 'parent_of', 'c'],
      ['b', 'parent_of', 'd'],
      ['c', 'parent_of', 'd'],
      ['d', 'parent_of', 'e'],
      ['a', 'depends_on', 'z'],
      ['y', 'part_of', 'a'],
    )
    expect(graph.getChildren('a')).toEqual(['b', 'c'])
    expect(graph.getParents('d')).toEqual(['b', 'c'])
    expect(graph.getTree('a')).toEqual(['b', 'c', 'd', 'e'])
    expect(graph.ancestors('e')).toEqual(['d', 'b', 'c', 'a'])
  })

  it('ends on cycles and never returns the start', () => {
    const graph = graphOf(['a', 'parent_of', 'b'], ['b', 'parent_of', 'c'], ['c', 'parent_of', 'a'])
    expect(graph.getTree('a')).toEqual(['b', 'c'])
    expect(graph.ancestors('a')).toEqual(['c', 'b'])
  })

  it('permits self-relations (conformance row 11), lists them and does not walk them', () => {
    const graph = graphOf(['a', 'parent_of', 'a'], ['a', 'parent_of', 'b'], ['a', 'triggers', 'a'])
    expect(graph.getFromSource('a')).toHaveLength(3)
    expect(graph.getToTarget('a')).toHaveLength(2)
    expect(graph.getChildren('a')).toEqual(['b'])
    expect(graph.getParents('a')).toEqual([])
    expect(graph.getTree('a')).toEqual(['b'])
    expect(graph.getNetwork('a')).toEqual(['b'])
    expect(graph.findCycles('parent_of')).toEqual([])
    expect(graph.topologicalOrder('parent_of')).toEqual(['a', 'b'])
  })

  it('finds neighbours of any type in both directions, each once', () => {
    const graph = graphOf(['a', 'blocks', 'b'], ['b', 'follows', 'a'], ['c', 'part_of', 'a'], ['c', 'blocks', 'd'])
    expect(graph.getNetwork('a').sort()).toEqual(['b', 'c'])
    expect(graph.getNetwork('d')).toEqual(['c'])
    expect(graph.getNetwork('nobody')).toEqual([])
  })

  it('finds a shortest path along relations of any type, from source to target', () => {
    const graph = graphOf(
      ['a', 'blocks', 'b'],
      ['b', 'follows', 'c'],
      ['c', 'triggers', 'd'],
      ['a', 'part_of', 'x'],
      ['x', 'relates_to', 'd'],
    )
    expect(graph.path('a', 'd')).toEqual(['a', 'x', 'd'])
    expect(graph.path('a', 'b')).toEqual(['a', 'b'])
    expect(graph.path('d', 'a')).toEqual([])
    expect(graph.path('a', 'a')).toEqual(['a'])
    expect(graph.path('a', 'nobody')).toEqual([])
    expect(graph.path('nobody', 'a')).toEqual([])
  })
})

describe('cycles and order', () => {
  it('finds each cycle once and of the given type only', () => {
    const graph = graphOf(
      ['a', 'depends_on', 'b'],
      ['b', 'depends_on', 'c'],
      ['c', 'depends_on', 'a'],
      ['b', 'depends_on', 'c'],
      ['c', 'depends_on', 'd'],
      ['x', 'depends_on', 'y'],
      ['y', 'depends_on', 'x'],
      ['d', 'blocks', 'a'],
    )
    expect(graph.findCycles('depends_on')).toEqual([
      ['a', 'b', 'c'],
      ['x', 'y'],
    ])
    expect(graph.findCycles('blocks')).toEqual([])
  })

  it('tells cycles apart that share a minion', () => {
    const graph = graphOf(['a', 'blocks', 'b'], ['b', 'blocks', 'a'], ['a', 'blocks', 'c'], ['c', 'blocks', 'a'])
    expect(graph.findCycles('blocks')).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ])
  })

  it.each<[RelationType, string[]]>([
    ['parent_of', ['a', 'b', 'c']],
    ['triggers', ['a', 'b', 'c']],
    ['blocks', ['a', 'b', 'c']],
    ['depends_on', ['c', 'b', 'a']],
    ['follows', ['c', 'b', 'a']],
    ['part_of', ['c', 'b', 'a']],
    ['implements', ['c', 'b', 'a']],
  ])('orders a -%s-> b -> c', (type, order) => {
    const graph = graphOf(['b', type, 'c'], ['a', type, 'b'], ['a', type, 'c'], ['z', 'relates_to', 'a'])
    expect(graph.topologicalOrder(type)).toEqual(order)
  })

  it('refuses to order a cycle and shows it', () => {
    const graph = graphOf(['s', 'depends_on', 'a'], ['a', 'depends_on', 'b'], ['b', 'depends_on', 'a'])
    expect(() => graph.topologicalOrder('depends_on')).toThrow(
      expect.objectContaining({
        code: 'CYCLE',
        message: 'The depends_on relations cannot be ordered because they contain a cycle: a → b → a.',
        details: { type: 'depends_on', path: ['a', 'b', 'a'] },
      }),
    )
    expect(graph.topologicalOrder('follows')).toEqual([])
  })
})
