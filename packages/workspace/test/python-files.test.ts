import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureDefaultSetup, SessionStore, WorkspaceManager } from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

const hasPython = spawnSync('python3', ['--version']).status === 0
const TIME = '2026-01-31T09:30:00.000000+00:00'

/** The record of a workspace as Python writes it, with `state` as it is given. */
function entry(id: string, state: string, name = id): string {
  const times = `"created_at": "${TIME}",\n    "updated_at": "${TIME}"`
  return `"${id}": {
    "id": "${id}",
    "name": "${name}",
    "description": "",
    "nodes": {},
    "rules": {},
    "inherited_rules": {},
    "state": ${state},
    "parent_workspace": null,
    ${times},
    "root_path": null
  }`
}

const file = (...entries: string[]) => `{\n  ${entries.join(',\n  ')}\n}`

async function managerOf(text: string): Promise<WorkspaceManager> {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'workspaces.json'), text)
  return new WorkspaceManager(directory)
}

const textOf = (manager: WorkspaceManager) => readFile(manager.path, 'utf8')

async function change(manager: WorkspaceManager, id: string, key: string, value: unknown): Promise<void> {
  await manager.update((workspaces) => {
    const workspace = workspaces[id]
    if (workspace) workspace.state[key] = value
  })
}

describe('a value that JavaScript cannot hold', () => {
  it.each([
    ['9007199254740993', 'a whole number beyond 2^53'],
    ['-1152921504606846976', 'a power of two that is written in another way'],
    ['123456789012345678901234567890', 'a whole number of thirty digits'],
    ['NaN', 'not a number'],
    ['Infinity', 'infinity'],
    ['-Infinity', 'negative infinity'],
    ['1e400', 'a number that overflows'],
  ])('%s (%s) is a problem of its workspace alone, and stays', async (value) => {
    const bad = entry('bad', `{\n      "deep": [\n        ${value}\n      ]\n    }`)
    const manager = await managerOf(file(entry('first', '{}'), bad, entry('last', '{}')))
    const workspaces = await manager.loadWorkspaces()
    expect(Object.keys(workspaces)).toEqual(['first', 'last'])
    expect(manager.problems()).toEqual([
      expect.objectContaining({ code: 'WORKSPACE_UNREADABLE', workspaceId: 'bad', path: manager.path }),
    ])
    expect(manager.problems()[0]?.message).toContain(`/state/deep/0 is ${value}`)
    await change(manager, 'first', 'n', 1)
    await change(manager, 'last', 'n', 2)
    await manager.update((all) => {
      const added = manager.createWorkspace('added')
      all[added.id] = added
      delete all.first
    })
    expect(await textOf(manager)).toContain(bad)
    expect(Object.values(await manager.loadWorkspaces()).map(({ name }) => name)).toEqual(['last', 'added'])
    expect(await readdir(manager.configDir)).toEqual(['workspaces.json'])
  })

  it('is not replaced by a workspace of the same id', async () => {
    const text = file(entry('bad', '{ "n": NaN }'), entry('good', '{}'))
    const manager = await managerOf(text)
    const workspaces = await manager.loadWorkspaces()
    workspaces.bad = Object.assign(manager.createWorkspace('new'), { id: 'bad' })
    await expect(manager.saveWorkspaces(workspaces)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('/state/n is NaN'),
    })
    expect(await textOf(manager)).toBe(text)
  })

  it('that another program wrote meanwhile is not replaced either, and goes when its workspace is removed', async () => {
    const manager = await managerOf(file(entry('a', '{}'), entry('b', '{}')))
    const workspaces = await manager.loadWorkspaces()
    const text = file(entry('a', '{ "n": Infinity }'), entry('b', '{}'))
    await writeFile(manager.path, text)
    await manager.saveWorkspaces(workspaces)
    expect(await textOf(manager)).toBe(text)
    Object.assign(workspaces.a ?? {}, { name: 'changed' })
    await expect(manager.saveWorkspaces(workspaces)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    delete workspaces.a
    await manager.saveWorkspaces(workspaces)
    expect(await textOf(manager)).toBe(file(entry('b', '{}')))
  })

  it('is only looked for in numbers', async () => {
    const state =
      '{ "NaN": "Infinity 9007199254740993 1e400", "\\"": "\\\\", "1e999": [1e22, 0.30000000000000004, -0] }'
    const manager = await managerOf(file(entry('a', state)))
    expect((await manager.loadWorkspaces()).a?.state).toEqual({
      NaN: 'Infinity 9007199254740993 1e400',
      '"': '\\',
      '1e999': [1e22, 0.30000000000000004, -0],
    })
    expect(manager.problems()).toEqual([])
  })

  it.each(['{ "a": NaN, }', '{ NaN: 1 }', '[NaN]', '{ "a": nan }', '{ "a": 1NaN }', '{ "a": -NaN }'])(
    'does not make %s JSON',
    async (text) => {
      const manager = await managerOf(text)
      expect(await manager.loadWorkspaces()).toEqual({})
      expect(manager.problems()).toMatchObject([{ code: 'FILE_UNREADABLE' }])
    },
  )

  it('keeps a file that is not UTF-8 beside it', async () => {
    const manager = await managerOf('')
    await writeFile(manager.path, Buffer.from(file(entry('a', '{}', 'caf\xe9')), 'latin1'))
    expect(await manager.loadWorkspaces()).toEqual({})
    expect(manager.problems()).toMatchObject([{ code: 'FILE_UNREADABLE' }])
  })
})

describe('what was not changed', () => {
  const odd =
    '{ "one": 1.0, "é": "\\u00E9", "10": 1, "2": 1E2, "twice": 1, "twice": -0.0, "big": 12345678901234567890.0 }'

  it('is written back byte for byte beside a workspace that was', async () => {
    const untouched = entry('odd', odd, '\\u0061 name')
    const manager = await managerOf(`${file(entry('a', '{}'), untouched, untouched)}\n\n`)
    await change(manager, 'a', 'n', 1)
    expect(await textOf(manager)).toBe(`${file(entry('a', '{\n      "n": 1\n    }'), untouched, untouched)}\n\n`)
  })

  it('stays as it was inside a workspace that was', async () => {
    const manager = await managerOf(file(entry('odd', odd)))
    await change(manager, 'odd', 'new', { list: [1] })
    const changed = `${odd.slice(0, -2)}, "new": {\n        "list": [\n          1\n        ]\n      } }`
    expect(await textOf(manager)).toBe(file(entry('odd', changed)))
    await manager.update((workspaces) => {
      delete workspaces.odd?.state.new
    })
    expect(await textOf(manager)).toBe(file(entry('odd', odd)))
  })

  it.each(['    ', '\t', ''])('keeps the indentation %j of the file', async (indent) => {
    const reference = await managerOf(file(entry('a', '{ "n": 1 }'), entry('b', '{}')))
    const records = JSON.parse(await textOf(reference))
    const text = JSON.stringify(records, null, indent)
    const manager = await managerOf(text)
    await change(manager, 'a', 'added', { deep: true })
    records.a.state.added = { deep: true }
    const written = await textOf(manager)
    expect(JSON.parse(written)).toEqual(records)
    if (indent !== '') expect(written).toBe(JSON.stringify(records, null, indent))
    await manager.update((workspaces) => {
      delete workspaces.a
    })
    delete records.a
    expect(await textOf(manager)).toBe(JSON.stringify(records, null, indent))
  })

  it('comes through any change of lists and objects', async () => {
    const manager = await managerOf(file(entry('a', '{}')))
    for (const value of [[1, [2]], [1, [2, {}], 3], [[2]], [], { a: [] }, { b: {} }, {}, 'text', null, [{ a: 1 }]]) {
      await change(manager, 'a', 'value', value)
      expect(JSON.parse(await textOf(manager)).a.state).toEqual({ value })
    }
  })
})

describe('other files that Python writes', () => {
  it('keeps what others noted in config.json and agents.json', async () => {
    const directory = await temporaryDirectory()
    const config = '{\n    "limit": 9007199254740993,\n    "ratio": 1.0\n}'
    await writeFile(join(directory, 'config.json'), config)
    const agents = '{"default": {"score": NaN}}'
    await writeFile(join(directory, 'agents.json'), agents)
    const { default_workspace: id } = await ensureDefaultSetup(directory)
    expect(await readFile(join(directory, 'config.json'), 'utf8')).toBe(
      config.replace('1.0\n', `1.0,\n    "default_workspace": "${id}",\n    "default_agent": "default"\n`),
    )
    expect(await readFile(join(directory, 'agents.json'), 'utf8')).toBe(agents)
  })

  it('names the lines of a session with a value that JavaScript cannot hold', async () => {
    const root = await temporaryDirectory()
    const store = new SessionStore(root)
    const { path } = await store.create('s')
    await writeFile(path, '{"role":"user","at":1}\n{"meta":{"ns":1763253990677701123}}\n{"score":NaN}\n')
    const { messages, problems } = await store.read('s')
    expect(messages).toEqual([{ role: 'user', at: 1 }])
    expect(problems).toMatchObject([
      { line: 2, message: expect.stringContaining('/meta/ns is 1763253990677701123') },
      { line: 3, message: expect.stringContaining('/score is NaN') },
    ])
  })
})

describe.skipIf(!hasPython)('with Python itself', { meta: { needs: 'Python: install python3' } }, () => {
  const python = (program: string, path: string): string => {
    const { stdout, stderr, status } = spawnSync('python3', ['-c', program, path], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout
  }
  const WRITE = `
import json, sys, math
def workspace(id, state):
    return {"id": id, "name": id, "description": "", "nodes": {}, "rules": {}, "inherited_rules": {}, "state": state,
            "parent_workspace": None, "created_at": "${TIME}", "updated_at": "${TIME}", "root_path": None}
states = {
    "plain": {"float": 1.0, "exp": 1e16, "accent": "\\u00e9\\U0001f600", "list": [1, 2.50, None, True]},
    "big": {"n": 2**63 + 1}, "nan": {"n": math.nan}, "inf": {"n": [math.inf, -math.inf]},
}
with open(sys.argv[1], "w") as f:
    json.dump({id: workspace(id, state) for id, state in states.items()}, f, indent=2)
`
  const READ = `
import json, sys
with open(sys.argv[1]) as f:
    data = json.load(f)
print("\\n".join(f"{id} {name} {type(value).__name__} {value!r}" for id, ws in data.items() for name, value in ws["state"].items()))
`

  it('finds everything that it wrote, and what was changed', async () => {
    const directory = await temporaryDirectory()
    const path = join(directory, 'workspaces.json')
    python(WRITE, path)
    const before = python(READ, path)
    const manager = new WorkspaceManager(directory)
    expect(Object.keys(await manager.loadWorkspaces())).toEqual(['plain'])
    await change(manager, 'plain', 'added', 'x')
    expect(python(READ, path)).toBe(before.replace('\nbig ', "\nplain added str 'x'\nbig "))
  })
})
