import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Node, NodeType, Rule, RulePriority, Workspace } from '../src/index.js'

let time = 0
const clock = () => Date.UTC(2026, 0, 1) + time++ * 1000
const workspace = (name = 'w') => new Workspace({ name }, { clock })
const withNodes = (count: number) => {
  const ws = workspace()
  const nodes = Array.from({ length: count }, (_, index) => new Node({ name: `n${index}`, id: `n${index}` }))
  for (const node of nodes) ws.addNode(node)
  return { ws, nodes }
}

describe('making records', () => {
  it('has a default for everything but the name', () => {
    const node = new Node({ name: 'n' })
    expect({ ...node }).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'n',
      type: 'custom',
      properties: {},
      connections: [],
      state: {},
      created_at: expect.stringMatching(/Z$/),
    })
    const rule = new Rule({ name: 'r' })
    expect({ ...rule }).toEqual({
      id: expect.any(String),
      name: 'r',
      description: '',
      condition: {},
      action: {},
      priority: RulePriority.MEDIUM,
      inherited_from: null,
      enabled: true,
      created_at: expect.any(String),
    })
    expect(Object.keys(workspace())).toEqual([
      'id',
      'name',
      'description',
      'nodes',
      'rules',
      'inherited_rules',
      'state',
      'parent_workspace',
      'created_at',
      'updated_at',
      'root_path',
    ])
  })

  it('shares no defaults', () => {
    const [a, b] = [new Node({ name: 'a' }), new Node({ name: 'b' })]
    a.state.x = 1
    expect(b.state).toEqual({})
  })

  it.each([
    ['a node without a name', () => new Node({} as never)],
    ['a node of nothing', () => new Node(undefined as never)],
    ['a node of an unknown type', () => new Node({ name: 'x', type: 'robot' as never })],
    ['a node with null properties', () => new Node({ name: 'x', properties: null as never })],
    ['a rule with a priority by name', () => new Rule({ name: 'x', priority: 'HIGH' as never })],
    ['a rule with priority 5', () => new Rule({ name: 'x', priority: 5 as never })],
    ['a rule with a list as condition', () => new Rule({ name: 'x', condition: [] as never })],
    ['a workspace without a name', () => new Workspace({} as never)],
    ['a plain object as node', () => workspace().addNode({ name: 'x' } as never)],
    ['a plain object as rule', () => workspace().addRule({ name: 'x' } as never)],
  ])('refuses %s', (_, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('orders priorities', () => {
    expect(Object.values(RulePriority)).toEqual([1, 2, 3, 4])
    expect(RulePriority.CRITICAL).toBe(4)
    expect(Object.values(NodeType)).toEqual(['agent', 'task', 'workflow', 'knowledge', 'custom'])
  })
})

describe('nodes and connections', () => {
  it('connects both ways and only once', () => {
    const { ws, nodes } = withNodes(2)
    expect(ws.connectNodes('n0', 'n1')).toBe(true)
    const touched = ws.updated_at
    expect(ws.connectNodes('n1', 'n0')).toBe(true)
    expect(ws.updated_at).toBe(touched)
    expect(nodes.map((node) => node.connections)).toEqual([['n1'], ['n0']])
    expect(ws.getNetworkSummary().total_connections).toBe(1)
  })

  it('never connects a node to itself or to one that is not there', () => {
    const { ws, nodes } = withNodes(1)
    const before = ws.updated_at
    expect(ws.connectNodes('n0', 'n0')).toBe(false)
    expect(ws.connectNodes('n0', 'n9')).toBe(false)
    expect(ws.connectNodes('toString', 'n0')).toBe(false)
    expect(nodes[0]?.connections).toEqual([])
    expect(ws.updated_at).toBe(before)
  })

  it('disconnects, and says whether there was anything to disconnect', () => {
    const { ws, nodes } = withNodes(2)
    ws.connectNodes('n0', 'n1')
    expect(ws.disconnectNodes('n1', 'n0')).toBe(true)
    expect(ws.disconnectNodes('n1', 'n0')).toBe(false)
    expect(nodes.map((node) => node.connections)).toEqual([[], []])
  })

  it('removes a node from the connections of all others', () => {
    const { ws, nodes } = withNodes(3)
    ws.connectNodes('n0', 'n1')
    ws.connectNodes('n2', 'n1')
    expect(ws.removeNode('n1')).toBe(true)
    expect(ws.removeNode('n1')).toBe(false)
    expect(Object.keys(ws.nodes)).toEqual(['n0', 'n2'])
    expect(nodes[0]?.connections).toEqual([])
    expect(nodes[2]?.connections).toEqual([])
  })

  it('also removes connections that stand on one side only', () => {
    const ws = workspace()
    ws.addNode(new Node({ name: 'a', id: 'a', connections: ['b'] }))
    ws.addNode(new Node({ name: 'b', id: 'b' }))
    ws.removeNode('b')
    expect(ws.nodes.a?.connections).toEqual([])
    const loaded = Workspace.fromDict({
      name: 'w',
      nodes: { a: { name: 'a', connections: ['b'] }, b: { name: 'b' } },
    })
    loaded.removeNode('b')
    expect(loaded.nodes.a?.connections).toEqual([])
  })

  it('forgets nothing when a node is replaced', () => {
    const { ws, nodes } = withNodes(2)
    ws.connectNodes('n0', 'n1')
    ws.addNode(new Node({ name: 'new', id: 'n1' }))
    ws.removeNode('n1')
    expect(nodes[0]?.connections).toEqual([])
  })

  it('sees changes made to the plain objects', () => {
    const { ws } = withNodes(2)
    ws.addRule(new Rule({ name: 'three', condition: { type: 'node_count', count: 3 } }))
    expect(ws.evaluateStateLogic()).toEqual([])
    ws.nodes.x = new Node({ name: 'x', id: 'x', connections: ['n0'] })
    expect(ws.evaluateStateLogic()).toHaveLength(1)
    ws.removeNode('n0')
    expect(ws.nodes.x.connections).toEqual([])
    delete ws.nodes.x
    expect(ws.getNetworkSummary().total_nodes).toBe(1)
    ws.nodes = {}
    expect(ws.getNetworkSummary().total_nodes).toBe(0)
    ws.rules = {}
    expect(ws.getAllRules()).toEqual([])
  })

  it('takes any name as an id', () => {
    const ws = workspace()
    for (const id of ['__proto__', 'constructor', 'toString', '']) ws.addNode(new Node({ name: id, id }))
    expect(ws.connectNodes('__proto__', 'constructor')).toBe(true)
    expect(ws.getNetworkSummary().total_nodes).toBe(4)
    expect(Object.getPrototypeOf(ws.nodes)).toBe(Object.prototype)
    const again = Workspace.fromDict(JSON.parse(JSON.stringify(ws)))
    expect(again.toDict()).toEqual(ws.toDict())
    expect(Object.hasOwn(again.nodes, '__proto__')).toBe(true)
    expect(again.removeNode('__proto__')).toBe(true)
    expect((again.nodes.constructor as unknown as Node).connections).toEqual([])
  })

  it('keeps edges on both sides through any sequence of changes', () => {
    const id = fc.integer({ min: 0, max: 5 }).map((number) => `n${number}`)
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), a: id }),
      fc.record({ do: fc.constant('remove' as const), a: id }),
      fc.record({ do: fc.constant('connect' as const), a: id, b: id }),
      fc.record({ do: fc.constant('disconnect' as const), a: id, b: id }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ws = workspace()
        const edges = new Set<string>()
        for (const change of steps) {
          if (change.do === 'add') {
            if (!Object.hasOwn(ws.nodes, change.a)) ws.addNode(new Node({ name: 'x', id: change.a }))
          } else if (change.do === 'remove') {
            ws.removeNode(change.a)
            for (const edge of edges) if (edge.split(' ').includes(change.a)) edges.delete(edge)
          } else {
            const edge = [change.a, change.b].sort().join(' ')
            if (change.do === 'disconnect') expect(ws.disconnectNodes(change.a, change.b)).toBe(edges.delete(edge))
            else if (ws.connectNodes(change.a, change.b)) edges.add(edge)
          }
        }
        const found = Object.values(ws.nodes).flatMap((n) => n.connections.map((to) => [n.id, to].sort().join(' ')))
        expect(found.sort()).toEqual([...edges, ...edges].sort())
        expect(ws.getNetworkSummary().total_connections).toBe(edges.size)
      }),
      { numRuns: 200, seed: 3 },
    )
  })
})

describe('looking up nodes', () => {
  it.each([2, 5, 40])('finds what the plain object of %i nodes has, whoever changed it', (size) => {
    const id = fc.integer({ min: 0, max: size - 1 }).map((number) => `n${number}`)
    const step = fc.record({ do: fc.constantFrom('add', 'remove', 'set', 'delete', 'replace'), a: id, b: id })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 * size }), (steps) => {
        const ws = workspace()
        for (const { do: change, a, b } of steps) {
          const node = new Node({ name: a, id: a })
          if (change === 'add') ws.addNode(node)
          else if (change === 'remove') ws.removeNode(a)
          else if (change === 'set') ws.nodes[a] = node
          else if (change === 'delete') delete ws.nodes[a]
          else ws.nodes = Object.fromEntries(Object.entries(ws.nodes).slice(1))
          const isThere = Object.hasOwn(ws.nodes, a) && Object.hasOwn(ws.nodes, b)
          expect(ws.connectNodes(a, b)).toBe(isThere && a !== b)
          if (isThere && a !== b) expect(ws.nodes[a]?.connections).toContain(b)
        }
      }),
      { numRuns: 50, seed: 5 },
    )
  })
})

describe('rules', () => {
  const names = (ws: Workspace) => ws.getAllRules().map((rule) => rule.name)

  it('gives enabled rules by priority, own before inherited, then as added', () => {
    const parent = workspace('parent')
    parent.addRule(new Rule({ name: 'parent high', priority: RulePriority.HIGH }))
    parent.addRule(new Rule({ name: 'parent low', priority: RulePriority.LOW }))
    const child = workspace('child')
    child.inheritRulesFrom(parent)
    child.addRule(new Rule({ name: 'own low', priority: RulePriority.LOW }))
    child.addRule(new Rule({ name: 'own high 1', priority: RulePriority.HIGH }))
    child.addRule(new Rule({ name: 'own high 2', priority: RulePriority.HIGH }))
    child.addRule(new Rule({ name: 'off', priority: RulePriority.CRITICAL, enabled: false }))
    expect(names(child)).toEqual(['own high 1', 'own high 2', 'parent high', 'own low', 'parent low'])
    expect(child.getNetworkSummary()).toMatchObject({ total_rules: 4, inherited_rules: 2 })
  })

  it('sees a rule being switched off, changed and removed', () => {
    const ws = workspace()
    const rule = new Rule({ name: 'r' })
    ws.addRule(rule)
    rule.enabled = false
    expect(names(ws)).toEqual([])
    rule.enabled = true
    expect(names(ws)).toEqual(['r'])
    expect(ws.removeRule(rule.id)).toBe(true)
    expect(ws.removeRule(rule.id)).toBe(false)
    expect(ws.removeRule('constructor')).toBe(false)
    expect(names(ws)).toEqual([])
  })

  it('copies rules when inheriting, tagged with their first origin', () => {
    const grand = workspace('grand')
    const rule = new Rule({ name: 'r', condition: { type: 'always' }, action: { list: [1] } })
    grand.addRule(rule)
    const parent = workspace('parent')
    parent.inheritRulesFrom(grand)
    const child = workspace('child')
    child.inheritRulesFrom(parent)
    const copy = Object.values(child.inherited_rules)[0]
    expect(copy?.inherited_from).toBe(`grand:${rule.id}`)
    expect(copy?.id).not.toBe(rule.id)
    expect(child.inherited_rules[copy?.id ?? '']).toBe(copy)
    ;(rule.action.list as number[]).push(2)
    expect(copy?.action).toEqual({ list: [1] })
    expect(child.parent_workspace).toBe(parent.id)
  })

  it('changes nothing when it inherits twice, from itself or round a circle', () => {
    const [a, b, c] = [workspace('a'), workspace('b'), workspace('c')]
    for (const ws of [a, b, c]) ws.addRule(new Rule({ name: `rule of ${ws.name}` }))
    b.inheritRulesFrom(a)
    const once = b.toDict()
    b.inheritRulesFrom(a)
    expect(b.toDict()).toEqual(once)
    a.inheritRulesFrom(a)
    expect(a.inherited_rules).toEqual({})
    expect(a.parent_workspace).toBeNull()
    c.inheritRulesFrom(b)
    a.inheritRulesFrom(c)
    expect(names(a)).toEqual(['rule of a', 'rule of c', 'rule of b'])
  })
})
