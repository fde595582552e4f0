import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  BOOTSTRAP_PROMPT_FILES,
  ensureDefaultSetup,
  ensureWorkspace,
  initWorkspace,
  listSkills,
  readMemoryMd,
  readPromptFiles,
  readSkill,
  WorkspaceLayout,
  WorkspaceManager,
} from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

const clock = () => '2026-01-31T09:30:00.000Z'
const FILES = [
  'prompt/AGENTS.md',
  'prompt/USER.md',
  'prompt/TOOLS.md',
  'prompt/IDENTITY.md',
  'memory/MEMORY.md',
  'memory/HISTORY.md',
  'skills/core/SKILL.md',
]

it('lays out a folder', () => {
  expect({ ...WorkspaceLayout.fromRoot('~/ws') }).toEqual({
    root: join(homedir(), 'ws'),
    promptDir: join(homedir(), 'ws/prompt'),
    memoryDir: join(homedir(), 'ws/memory'),
    skillsDir: join(homedir(), 'ws/skills'),
    sessionsDir: join(homedir(), 'ws/sessions'),
    dataDir: join(homedir(), 'ws/data'),
  })
  expect(WorkspaceLayout.fromRoot('relative').root).toBe(join(process.cwd(), 'relative'))
  expect(BOOTSTRAP_PROMPT_FILES).toEqual(['AGENTS.md', 'USER.md', 'TOOLS.md', 'IDENTITY.md'])
})

describe('initWorkspace', () => {
  it('makes everything once, and afterwards what is missing', async () => {
    const root = join(await temporaryDirectory(), 'ws')
    const paths = FILES.map((name) => join(root, name))
    expect(await initWorkspace(root)).toEqual({ root, created: paths, skipped: [] })
    expect((await readdir(root)).sort()).toEqual(['data', 'memory', 'prompt', 'sessions', 'skills'])
    expect(await initWorkspace(root)).toEqual({ root, created: [], skipped: paths })
    await rm(join(root, 'prompt/USER.md'))
    await writeFile(join(root, 'prompt/TOOLS.md'), 'mine')
    expect((await initWorkspace(root)).created).toEqual([join(root, 'prompt/USER.md')])
    expect(await readFile(join(root, 'prompt/TOOLS.md'), 'utf8')).toBe('mine')
  })

  it('overwrites when asked, but backs up memory and never truncates the history', async () => {
    const root = await temporaryDirectory()
    await initWorkspace(root)
    for (const name of ['prompt/USER.md', 'memory/MEMORY.md', 'memory/HISTORY.md'])
      await writeFile(join(root, name), 'mine')
    const result = await initWorkspace(root, { overwrite: true, clock })
    expect(result.skipped).toEqual([join(root, 'memory/HISTORY.md')])
    expect(result.created).toHaveLength(6)
    expect(await readFile(join(root, 'memory/HISTORY.md'), 'utf8')).toBe('mine')
    expect(await readFile(join(root, 'memory/MEMORY.md.bak-2026-01-31T09-30-00-000Z'), 'utf8')).toBe('mine')
    expect(await readMemoryMd(root)).not.toBe('mine')
    await initWorkspace(root, { overwrite: true, clock })
    expect(await readdir(join(root, 'memory'))).toContain('MEMORY.md.bak-2026-01-31T09-30-00-000Z-1')
  })

  it('fails with a typed error where a file is in the way', async () => {
    const root = join(await temporaryDirectory(), 'file')
    await writeFile(root, '')
    await expect(initWorkspace(root)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  })
})

describe('reading the folder', () => {
  it('leaves out what is missing', async () => {
    const root = await temporaryDirectory()
    expect(await readPromptFiles(root)).toEqual({})
    expect(await readMemoryMd(root)).toBe('')
    expect(await listSkills(root)).toEqual([])
    await mkdir(join(root, 'prompt/USER.md'), { recursive: true })
    await writeFile(join(root, 'prompt/AGENTS.md'), 'be brief\n')
    expect(await readPromptFiles(root)).toEqual({ 'AGENTS.md': 'be brief\n' })
  })

  it('lists skills by name, with what the front matter says', async () => {
    const root = await temporaryDirectory()
    const skill = async (name: string, text: string) => {
      await mkdir(join(root, 'skills', name), { recursive: true })
      await writeFile(join(root, 'skills', name, 'SKILL.md'), text)
    }
    await skill('plain', '# no front matter')
    await skill('Zoo', '---\r\nname: other\r\ndescription: "Animals: all"\r\n---\r\nbody')
    await skill('broken', '---\ndescription: [\n---\nbody')
    await skill('number', '---\ndescription: 5\n---\n')
    await mkdir(join(root, 'skills', 'empty'))
    await writeFile(join(root, 'skills', 'file.md'), '')
    expect(await listSkills(root)).toEqual([
      { name: 'Zoo', path: join(root, 'skills/Zoo/SKILL.md'), description: 'Animals: all' },
      { name: 'broken', path: join(root, 'skills/broken/SKILL.md') },
      { name: 'number', path: join(root, 'skills/number/SKILL.md') },
      { name: 'plain', path: join(root, 'skills/plain/SKILL.md') },
    ])
    expect(await readSkill(root, 'plain')).toBe('# no front matter')
    expect(await readSkill(join(root, 'skills/plain/SKILL.md'))).toBe('# no front matter')
    await expect(readSkill(root, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('lists no pipe, and describes none with front matter of ten megabytes', async () => {
    const root = await temporaryDirectory()
    for (const name of ['big', 'pipe']) await mkdir(join(root, 'skills', name), { recursive: true })
    await promisify(execFile)('mkfifo', [join(root, 'skills/pipe/SKILL.md')])
    const text = `---\ndescription: Big.\nlicense: ${'x'.repeat(10_000_000)}\n---\n`
    await writeFile(join(root, 'skills/big/SKILL.md'), text)
    expect(await listSkills(root)).toEqual([{ name: 'big', path: join(root, 'skills/big/SKILL.md') }])
    await expect(readSkill(root, 'pipe')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('refuses skills that lie outside', async () => {
    const root = await temporaryDirectory()
    const outside = await temporaryDirectory()
    await mkdir(join(root, 'skills/inner'), { recursive: true })
    await writeFile(join(outside, 'SKILL.md'), 'secret')
    await symlink(outside, join(root, 'skills/linked'))
    await symlink(join(outside, 'SKILL.md'), join(root, 'skills/inner/SKILL.md'))
    await symlink('loop', join(root, 'skills/loop'))
    expect(await listSkills(root)).toEqual([])
    for (const name of ['linked', 'inner', '..', '.', '', 'a/b', '../../etc', 'x\0']) {
      await expect(readSkill(root, name), name).rejects.toMatchObject({ code: 'PATH_REFUSED' })
    }
    await expect(readSkill(root, 'loop')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(readSkill(join(outside, 'other.md'))).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  })
})

describe('ensureWorkspace', () => {
  it('finds, makes and refuses', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    await expect(ensureWorkspace(manager, 'lab')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(ensureWorkspace(manager, '', { createMissing: true })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { workspace, rootPath } = await ensureWorkspace(manager, 'lab', { createMissing: true, initFiles: true })
    expect(rootPath).toBe(join(manager.configDir, 'workspaces', `ws_${workspace.id}`))
    expect(workspace.root_path).toBe(rootPath)
    expect((await stat(join(rootPath, 'data'))).isDirectory()).toBe(true)
    const again = await ensureWorkspace(manager, workspace.id.slice(0, 8))
    expect(again).toMatchObject({ workspace: { id: workspace.id }, rootPath })
  })

  it('gives one that has no folder its place, and saves it only when files are wanted', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    const ws = manager.createWorkspace('plain')
    await manager.saveWorkspaces({ [ws.id]: ws })
    const rootPath = join(manager.configDir, 'workspaces', `ws_${ws.id}`)
    expect((await ensureWorkspace(manager, 'plain')).rootPath).toBe(rootPath)
    expect((await manager.loadWorkspaces())[ws.id]?.root_path).toBeNull()
    await ensureWorkspace(manager, 'plain', { initFiles: true })
    expect((await manager.loadWorkspaces())[ws.id]?.root_path).toBe(rootPath)
  })

  it('makes one workspace when many ask at once', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    const managers = Array.from({ length: 4 }, () => new WorkspaceManager(manager.configDir))
    const made = await Promise.all(managers.map((each) => ensureWorkspace(each, 'one', { createMissing: true })))
    expect(new Set(made.map(({ workspace }) => workspace.id)).size).toBe(1)
  })

  it('keeps ids that are paths from becoming folders', async () => {
    const manager = new WorkspaceManager(await temporaryDirectory())
    await writeFile(manager.path, JSON.stringify({ '../../x': { id: '../../x', name: 'evil' } }))
    await expect(ensureWorkspace(manager, 'evil', { initFiles: true })).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  })
})

describe('ensureDefaultSetup', () => {
  it('sets up once', async () => {
    const directory = join(await temporaryDirectory(), 'config')
    const config = await ensureDefaultSetup(directory, { clock })
    expect((await readdir(directory)).sort()).toEqual(['agents.json', 'config.json', 'workspaces', 'workspaces.json'])
    expect(JSON.parse(await readFile(join(directory, 'config.json'), 'utf8'))).toEqual(config)
    expect(config).toEqual({ default_workspace: expect.any(String), default_agent: 'default' })
    const workspaces = await new WorkspaceManager(directory).loadWorkspaces()
    expect(workspaces[config.default_workspace]).toMatchObject({
      name: 'default',
      root_path: join(directory, 'workspaces', `ws_${config.default_workspace}`),
    })
    expect(JSON.parse(await readFile(join(directory, 'agents.json'), 'utf8'))).toMatchObject({
      default: { name: 'default' },
    })
  })

  it('reads one file and writes nothing the second time', async () => {
    const directory = await temporaryDirectory()
    const config = await ensureDefaultSetup(directory)
    for (const name of ['agents.json', 'workspaces.json', 'workspaces'])
      await rm(join(directory, name), { recursive: true })
    expect(await ensureDefaultSetup(directory)).toEqual(config)
    expect(await readdir(directory)).toEqual(['config.json'])
  })

  it('keeps what is there already, and agrees with others that begin at once', async () => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'config.json'), '{"theme": "dark"}')
    await writeFile(join(directory, 'agents.json'), '{"mine": {"name": "mine"}}')
    const setups = await Promise.all([1, 2, 3].map(() => ensureDefaultSetup(directory)))
    expect(setups[0]).toMatchObject({ theme: 'dark', default_agent: 'mine' })
    expect(new Set(setups.map((setup) => setup.default_workspace)).size).toBe(1)
    expect(Object.keys(await new WorkspaceManager(directory).loadWorkspaces())).toHaveLength(1)
  })

  it('keeps a damaged configuration beside it', async () => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'config.json'), 'oops')
    const problems: unknown[] = []
    await ensureDefaultSetup(directory, { clock, onProblem: (problem) => problems.push(problem) })
    expect(await readFile(join(directory, 'config.json.corrupt-2026-01-31T09-30-00-000Z'), 'utf8')).toBe('oops')
    expect(problems[0]).toMatchObject({ code: 'FILE_UNREADABLE' })
  })
})
