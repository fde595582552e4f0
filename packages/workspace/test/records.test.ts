import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { Node, Rule, Workspace, type WorkspaceData, WorkspaceManager } from '../src/index.js'
import { encode } from '../src/json/edit.js'
import { temporaryDirectory } from './temporary.js'

const fixture = async () => readFile(new URL('./fixtures/workspaces.python.json', import.meta.url), 'utf8')

describe('a file of the Python original', () => {
  it('is read, and written again with the same content and layout', async () => {
    const text = await fixture()
    const records = JSON.parse(text) as Record<string, WorkspaceData>
    for (const record of Object.values(records)) expect(Workspace.fromDict(record).toDict()).toEqual(record)
    // `1.0` is the one value that JavaScript spells differently.
    expect(encode(records)).toBe(text.replace('"f": 1.0', '"f": 1'))
  })

  it('survives loading, changing and saving', async () => {
    const directory = await temporaryDirectory()
    const { writeFile } = await import('node:fs/promises')
    await writeFile(`${directory}/workspaces.json`, await fixture())
    const manager = new WorkspaceManager(directory)
    const workspaces = await manager.loadWorkspaces()
    expect(Object.values(workspaces).map(({ name }) => name)).toEqual(['demo', 'child'])
    const [demo, child] = Object.values(workspaces)
    expect(demo?.evaluateStateLogic().map((match) => match.action.type)).toEqual(['assign_task', 'validate_knowledge'])
    expect(child?.getAllRules().map((rule) => rule.inherited_from?.split(':')[0])).toEqual(['demo', 'demo'])
    if (child && demo) child.inheritRulesFrom(demo)
    expect(child?.getNetworkSummary().inherited_rules).toBe(2)
    await manager.saveWorkspaces(workspaces)
    expect(JSON.parse(await readFile(manager.path, 'utf8'))).toEqual(JSON.parse(await fixture()))
  })
})

describe('unknown keys', () => {
  it('survive everywhere, and none of ours is added', () => {
    const record: WorkspaceData & Record<string, unknown> = {
      id: 'w',
      name: 'w',
      description: '',
      nodes: {
        n: {
          id: 'n',
          name: 'n',
          type: 'task',
          properties: {},
          connections: [],
          state: {},
          created_at: 'x',
          toDict: 1,
        } as never,
      },
      rules: {
        r: {
          id: 'r',
          name: 'r',
          description: '',
          condition: {},
          action: {},
          priority: 1,
          inherited_from: null,
          enabled: false,
          created_at: 'x',
          constructor: 'mine',
        } as never,
      },
      inherited_rules: {},
      state: JSON.parse('{"__proto__": {"polluted": true}, "nul": "\\u0000", "lone": "\\ud800"}'),
      parent_workspace: null,
      created_at: 'a',
      updated_at: 'b',
      root_path: null,
      addNode: { kept: true },
      future: [1],
    }
    const workspace = Workspace.fromDict(record)
    expect(JSON.stringify(workspace.toDict())).toContain('"__proto__":{"polluted":true}')
    expect(workspace.toDict()).toEqual(record)
    expect(workspace.addNode).toBeTypeOf('function')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('are not put into new records', () => {
    const node = new Node({ name: 'n', colour: 'red' } as never)
    expect(Object.keys(node.toDict())).toEqual(Object.keys(node))
    expect(Object.keys(new Rule({ name: 'r' }).toDict())).toEqual([
      'id',
      'name',
      'description',
      'condition',
      'action',
      'priority',
      'inherited_from',
      'enabled',
      'created_at',
    ])
  })
})

describe('what cannot be a record', () => {
  it('shares nothing with the workspace', () => {
    const workspace = new Workspace({ name: 'w', state: { list: [1] } })
    const record = workspace.toDict()
    ;(record.state.list as number[]).push(2)
    expect(workspace.state).toEqual({ list: [1] })
    const created = Workspace.fromDict(record)
    ;(record.state.list as number[]).push(3)
    expect(created.state).toEqual({ list: [1, 2] })
  })

  const circle: Record<string, unknown> = {}
  circle.self = circle
  it.each([
    ['a function', () => undefined],
    ['NaN', Number.NaN],
    ['a bigint', 1n],
    ['a date', new Date()],
    ['a map', new Map()],
    ['a hole in a list', [undefined]],
    ['a circle', circle],
  ])('%s is refused with its place', (_, value) => {
    const workspace = new Workspace({ name: 'w', state: { a: { 'b/c': value } } })
    expect(() => workspace.toDict()).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: expect.objectContaining({ pointer: expect.stringMatching(/^\/state\/a\/b~1c/) }),
      }),
    )
  })

  it.each([
    null,
    [],
    'x',
    { name: 5 },
    { name: 'w', nodes: [] },
    { name: 'w', nodes: null },
    { name: 'w', nodes: { n: null } },
    { name: 'w', nodes: { n: { name: 'n', type: 'NodeType.AGENT' } } },
    { name: 'w', rules: { r: { name: 'r', priority: 'HIGH' } } },
    { name: 'w', state: [] },
    { name: 'w', root_path: 7 },
  ])('%j is refused', (data) => {
    expect(() => Workspace.fromDict(data as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})
