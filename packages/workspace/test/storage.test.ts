import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ensureWorkspace,
  Node,
  NodeType,
  resolveWorkspace,
  type WorkspaceApi,
  WorkspaceManager,
  workspace,
  workspacesCollection,
} from '../src/index.js'
import { WorkspaceApi as Api } from '../src/plugin/workspace-api.js'
import { temporaryDirectory } from './temporary.js'

const backends: [string, () => StorageBackend][] = [
  ['memory', () => memoryStorage()],
  ['SQLite', () => sqliteStorage({ path: ':memory:' })],
]

describe.each(backends)('workspaces in a store on %s', (_name, make) => {
  let minions: Minions
  let folder: string
  let manager: WorkspaceManager

  beforeEach(async () => {
    folder = await temporaryDirectory()
    minions = await Minions.open({ storage: make(), collections: [workspacesCollection] })
    manager = new WorkspaceManager(folder, { storage: minions.storage })
  })

  afterEach(() => minions.close())

  it('are saved, loaded, resolved and removed as in a file', async () => {
    const research = manager.createWorkspace('research', 'papers')
    research.addNode(new Node({ name: 'Reader', type: NodeType.AGENT }))
    research.state.mood = { calm: [1, null, 'x'] }
    const sample = manager.createSampleWorkspace()
    await manager.saveWorkspaces({ [research.id]: research, [sample.id]: sample })

    const loaded = await new WorkspaceManager(folder, { storage: minions.storage }).loadWorkspaces()
    expect(resolveWorkspace(loaded, 'research')?.toDict()).toEqual(research.toDict())
    expect(resolveWorkspace(loaded, sample.id)?.toDict()).toEqual(sample.toDict())

    await manager.saveWorkspaces({ [research.id]: research })
    expect(Object.keys(await manager.loadWorkspaces())).toEqual([research.id])
  })

  it('keep what another manager added meanwhile', async () => {
    const other = new WorkspaceManager(folder, { storage: minions.storage })
    const [mine, theirs] = [manager.createWorkspace('mine'), other.createWorkspace('theirs')]
    await Promise.all([manager.saveWorkspaces({ [mine.id]: mine }), other.saveWorkspaces({ [theirs.id]: theirs })])
    expect(Object.keys(await manager.loadWorkspaces()).sort()).toEqual([mine.id, theirs.id].sort())
  })

  it('lose no workspace when many managers add one each at the same time', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `w${index}`)
    await Promise.all(
      names.map((name) => {
        const each = new WorkspaceManager(folder, { storage: minions.storage })
        return ensureWorkspace(each, name, { createMissing: true })
      }),
    )
    const loaded = Object.values(await manager.loadWorkspaces())
    expect(loaded.map(({ name }) => name).sort()).toEqual(names)
  })

  it('take part in a transaction', async () => {
    const before = manager.createWorkspace('kept')
    await expect(
      minions.transaction(async (tx) => {
        const inside = new WorkspaceManager(folder, { storage: tx.storage })
        await inside.saveWorkspaces({ [before.id]: before })
        expect(Object.keys(await inside.loadWorkspaces())).toEqual([before.id])
        throw new Error('undo')
      }),
    ).rejects.toThrow('undo')
    expect(await manager.loadWorkspaces()).toEqual({})
  })
})

describe('insights', () => {
  let minions: Minions
  let api: WorkspaceApi

  beforeEach(async () => {
    minions = await Minions.open({ storage: memoryStorage(), collections: [workspacesCollection] })
    api = new Api(await temporaryDirectory(), minions, {})
  })

  afterEach(() => minions.close())

  it('are thoughts that can be searched', async () => {
    const insight = await api.insights.add({ content: 'Short answers work best', confidence: 0.9, source: 'research' })
    expect(insight).toMatchObject({ minionTypeId: 'builtin-thought', fields: { confidence: 0.9, source: 'research' } })
    expect((await api.insights.search('SHORT ans')).map(({ id }) => id)).toEqual([insight.id])
    expect(await api.insights.search('long')).toEqual([])
    await minions.create('thought', { title: 'no insight', fields: { content: 'Short but private' } })
    expect(await api.insights.search('short')).toHaveLength(1)
  })

  it('are kept once, also when many add the same at the same time', async () => {
    const texts = ['Be brief.', 'be BRIEF', '  bé brief!  ']
    const added = await Promise.all(texts.flatMap((text) => [api.insights.add(text), api.insights.add(text)]))
    expect(new Set(added.map(({ id }) => id)).size).toBe(1)
    expect(await minions.count({ type: 'thought' })).toBe(1)
  })

  it('come back when one that was deleted is added again', async () => {
    const { id } = await api.insights.add('Ask first')
    await minions.softDelete(id)
    expect(await api.insights.search('ask')).toEqual([])
    expect(await api.insights.add('Ask first')).toMatchObject({ id, deletedAt: null })
    expect(await api.insights.search('ask')).toHaveLength(1)
  })

  it.each(['', '   ', 7, null, { content: '' }])('refuse %j', async (bad) => {
    await expect(api.insights.add(bad as string)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await minions.count()).toBe(0)
  })

  it('are told to agents as the third tier of memory', async () => {
    const { workspace: home } = await api.ensure('home', { createMissing: true, initFiles: true })
    await api.insights.add('Users like tables')
    const context = await api.buildContext(home, { now: '2026-01-01T00:00:00Z' })
    expect(context).toContain('- Users like tables')
    const agent = api.createAgent('Ada', {
      model: async ([system]) => String(system?.content.includes('Users like tables')),
    })
    agent.setContext(home, { rootPath: api.rootOf(home) })
    expect((await agent.run('Hi')).reply).toBe('true')
    expect(await api.sessions(home).list()).toHaveLength(1)
  })
})

describe('the plugin', () => {
  it('refuses options that do not fit, when an app is started', async () => {
    const plugin = workspace({ configDir: '', store: 'files' })
    const starting = createMinions({ storage: memoryStorage(), plugins: [plugin] })
    await expect(starting).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  })

  it('reads files inside a transaction but does not write them', async () => {
    const plugin = workspace({ configDir: await temporaryDirectory() })
    const app = await createMinions({ storage: memoryStorage(), plugins: [plugin] })
    const kept = await app.workspace.add({ name: 'kept' })
    await app.transaction(async (tx) => {
      expect(await tx.workspace.resolve('kept')).toMatchObject({ id: kept.id })
      await expect(tx.workspace.saveWorkspaces({})).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' })
    })
    expect(await app.workspace.find('kept')).toMatchObject({ id: kept.id })
    await app.close()
  })
})
