import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveWorkspace, Workspace, WorkspaceManager, type WorkspaceProblem } from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

const clock = () => '2026-01-31T09:30:00.000Z'
const read = async (manager: WorkspaceManager) => JSON.parse(await readFile(manager.path, 'utf8'))
const byId = (...workspaces: Workspace[]) => Object.fromEntries(workspaces.map((ws) => [ws.id, ws]))

describe('loading and saving', () => {
  it('begins with nothing and makes the directory', async () => {
    const manager = new WorkspaceManager(join(await temporaryDirectory(), 'deep', 'er'))
    expect(await manager.loadWorkspaces()).toEqual({})
    const ws = manager.createWorkspace('a')
    expect(ws).toMatchObject({ name: 'a', description: '', root_path: null })
    await manager.saveWorkspaces(byId(ws))
    expect(await read(manager)).toEqual({ [ws.id]: ws.toDict() })
    expect(await readdir(manager.configDir)).toEqual(['workspaces.json'])
  })

  it('takes ~ for the home directory', () => {
    expect(new WorkspaceManager('~/x').configDir).toBe(join(homedir(), 'x'))
    expect(() => new WorkspaceManager('')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('makes a sample with nodes, rules and state', () => {
    const sample = new WorkspaceManager('/nowhere', { clock }).createSampleWorkspace()
    expect(sample.getNetworkSummary()).toEqual({
      total_nodes: 3,
      node_types: { agent: 1, task: 1, knowledge: 1 },
      total_connections: 2,
      total_rules: 2,
      inherited_rules: 0,
      current_state_keys: ['task_priority', 'system_load', 'active_users'],
    })
    expect(sample.evaluateStateLogic()).toHaveLength(2)
    expect(sample.created_at).toBe(clock())
  })

  it('writes nothing when a value cannot be written', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    const ws = manager.createWorkspace('a')
    await manager.saveWorkspaces(byId(ws))
    const before = await readFile(manager.path, 'utf8')
    const bad = manager.createWorkspace('bad')
    bad.state.f = () => 1
    await expect(manager.saveWorkspaces(byId(ws, bad))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await readFile(manager.path, 'utf8')).toBe(before)
    for (const wrong of [null, [ws], { other: ws }, { x: ws.toDict() }]) {
      await expect(manager.saveWorkspaces(wrong as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('keeps the mode of the file and a symlink to it', async () => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'real.json'), '{}', { mode: 0o600 })
    await mkdir(join(directory, 'config'))
    await symlink(join(directory, 'real.json'), join(directory, 'config', 'workspaces.json'))
    const manager = new WorkspaceManager(join(directory, 'config'))
    await manager.saveWorkspaces(byId(manager.createWorkspace('a')))
    expect(Object.keys(JSON.parse(await readFile(join(directory, 'real.json'), 'utf8')))).toHaveLength(1)
    expect((await stat(join(directory, 'real.json'))).mode & 0o777).toBe(0o600)
  })

  it('fails with a typed error where it cannot write', async () => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'file'), '')
    const manager = new WorkspaceManager(join(directory, 'file', 'sub'))
    await expect(manager.saveWorkspaces({})).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })
})

describe('damage', () => {
  it.each(['{"a": ', '[]', 'null', '"x"', ''])('keeps a file with %j beside it and reports it', async (content) => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'workspaces.json'), content)
    const reported: WorkspaceProblem[] = []
    const manager = new WorkspaceManager(directory, { clock, onProblem: (problem) => reported.push(problem) })
    expect(await manager.loadWorkspaces()).toEqual({})
    const keptAs = join(directory, 'workspaces.json.corrupt-2026-01-31T09-30-00-000Z')
    expect(await readFile(keptAs, 'utf8')).toBe(content)
    expect(reported).toMatchObject([{ code: 'FILE_UNREADABLE', keptAs }])
    await manager.loadWorkspaces()
    const ws = manager.createWorkspace('new')
    await manager.saveWorkspaces(byId(ws))
    expect(Object.keys(await manager.loadWorkspaces())).toEqual([ws.id])
    expect((await readdir(directory)).filter((name) => name.includes('corrupt'))).toHaveLength(1)
    expect(manager.problems()).toHaveLength(1)
  })

  it('keeps every different damage, also within one millisecond', async () => {
    const directory = await temporaryDirectory()
    const manager = new WorkspaceManager(directory, { clock })
    for (const content of ['one', 'two', 'one']) {
      await writeFile(manager.path, content)
      await manager.loadWorkspaces()
    }
    expect((await readdir(directory)).filter((name) => name.includes('corrupt'))).toHaveLength(2)
  })

  it('sets one bad workspace aside and loads the others', async () => {
    const directory = await temporaryDirectory()
    const good = new Workspace({ name: 'good' })
    const bad = { id: 'bad', name: 'bad', nodes: { n: { name: 'n', type: 'robot' } } }
    await writeFile(join(directory, 'workspaces.json'), JSON.stringify({ [good.id]: good, bad, worse: 5 }))
    const manager = new WorkspaceManager(directory, { clock })
    const loaded = await manager.loadWorkspaces()
    expect(Object.keys(loaded)).toEqual([good.id])
    expect(manager.problems().map(({ code, workspaceId }) => [code, workspaceId])).toEqual([
      ['WORKSPACE_UNREADABLE', 'bad'],
      ['WORKSPACE_UNREADABLE', 'worse'],
    ])
    const kept = manager.problems()[0]?.keptAs ?? ''
    expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ bad, worse: 5 })
    loaded[good.id]?.addNode(new (await import('../src/index.js')).Node({ name: 'n' }))
    await manager.saveWorkspaces(loaded)
    expect(await read(manager)).toMatchObject({ bad, worse: 5 })
  })

  it.skipIf(process.getuid?.() === 0)(
    'does not write over a file it may not read',
    { meta: { needs: 'a user other than root' } },
    async () => {
      const directory = await temporaryDirectory()
      const manager = new WorkspaceManager(directory)
      await writeFile(manager.path, '{}')
      await chmod(manager.path, 0)
      expect(await manager.loadWorkspaces()).toEqual({})
      await expect(manager.saveWorkspaces({})).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    },
  )

  it('does not write over a directory in its place', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    await mkdir(manager.path)
    expect(await manager.loadWorkspaces()).toEqual({})
    expect(manager.problems()).toMatchObject([{ code: 'FILE_UNREADABLE' }])
    await expect(manager.saveWorkspaces({})).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })
})

describe('saving over what others saved', () => {
  async function two() {
    const directory = await temporaryDirectory()
    const [mine, other] = [new WorkspaceManager(directory), new WorkspaceManager(directory)]
    const [a, b] = [mine.createWorkspace('a'), mine.createWorkspace('b')]
    await mine.saveWorkspaces(byId(a, b))
    return { mine, other, a, b, ours: await mine.loadWorkspaces(), theirs: await other.loadWorkspaces() }
  }

  it('keeps a workspace it never loaded, and removes one it loaded and no longer has', async () => {
    const { mine, other, a, b, ours, theirs } = await two()
    const c = other.createWorkspace('c')
    await other.saveWorkspaces({ ...theirs, [c.id]: c })
    delete ours[b.id]
    await mine.saveWorkspaces(ours)
    expect(Object.keys(await read(mine)).sort()).toEqual([a.id, c.id].sort())
  })

  it('keeps the changes of both when they touched different workspaces', async () => {
    const { mine, other, a, b, ours, theirs } = await two()
    ;(theirs[a.id] as Workspace).state.by = 'other'
    await other.saveWorkspaces(theirs)
    ;(ours[b.id] as Workspace).state.by = 'me'
    await mine.saveWorkspaces(ours)
    await mine.saveWorkspaces(ours)
    expect(await read(mine)).toMatchObject({ [a.id]: { state: { by: 'other' } }, [b.id]: { state: { by: 'me' } } })
    expect(mine.problems()).toEqual([])
  })

  it('lets the one who saves win on one workspace, and says so', async () => {
    const { mine, other, a, ours, theirs } = await two()
    ;(theirs[a.id] as Workspace).state.by = 'other'
    await other.saveWorkspaces(theirs)
    ;(ours[a.id] as Workspace).state.by = 'me'
    await mine.saveWorkspaces(ours)
    expect(await read(mine)).toMatchObject({ [a.id]: { state: { by: 'me' } } })
    expect(mine.problems()).toMatchObject([{ code: 'WORKSPACE_OVERWRITTEN', workspaceId: a.id }])
  })

  it('does not bring back what another removed, unless it was changed here', async () => {
    const { mine, other, a, b, ours } = await two()
    await other.saveWorkspaces({})
    ;(ours[a.id] as Workspace).state.changed = true
    await mine.saveWorkspaces(ours)
    expect(Object.keys(await read(mine))).toEqual([a.id])
    expect(b.id).not.toBe(a.id)
  })

  it('writes everything when the file is gone', async () => {
    const { mine, ours } = await two()
    const { rm } = await import('node:fs/promises')
    await rm(mine.path)
    await mine.saveWorkspaces(ours)
    expect(Object.keys(await read(mine))).toHaveLength(2)
  })

  it('removes what it saved before and is missing now', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    const [a, b] = [manager.createWorkspace('a'), manager.createWorkspace('b')]
    await manager.saveWorkspaces(byId(a, b))
    await manager.saveWorkspaces(byId(a))
    expect(Object.keys(await read(manager))).toEqual([a.id])
  })

  it('updates under one lock', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    const others = Array.from({ length: 5 }, () => new WorkspaceManager(manager.configDir))
    const ws = manager.createWorkspace('counter')
    ws.state.count = 0
    await manager.saveWorkspaces(byId(ws))
    const increment = (workspaces: Record<string, Workspace>) => {
      const { state } = workspaces[ws.id] as Workspace
      state.count = (state.count as number) + 1
    }
    await Promise.all(others.map((other) => other.update(increment)))
    expect((await read(manager))[ws.id].state.count).toBe(5)
  })
})

describe('resolveWorkspace', () => {
  const ws = (id: string, name: string) => new Workspace({ id, name })
  const all = byId(ws('abc1', 'one'), ws('abd2', 'two'), ws('x', 'abc1'), ws('y', 'twin'), ws('z', 'twin'))

  it.each([
    ['abc1', 'abc1'],
    ['two', 'abd2'],
    ['abc', 'abc1'],
    ['abd', 'abd2'],
    ['', undefined],
    ['nobody', undefined],
    ['toString', undefined],
    ['ABC1', undefined],
  ])('%j is %s', (ref, id) => {
    expect(resolveWorkspace(all, ref)?.id).toBe(id)
  })

  it.each([
    ['ab', ['abc1', 'abd2']],
    ['twin', ['y', 'z']],
  ])('%j matches several', (ref, ids) => {
    expect(() => resolveWorkspace(all, ref)).toThrow(
      expect.objectContaining({
        code: 'AMBIGUOUS_REFERENCE',
        details: { ref, matches: ids.map((id) => expect.objectContaining({ id })) },
      }),
    )
  })
})
