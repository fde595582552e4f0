import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type InlineList, readSdkYaml } from '../src/imports/sdk-yaml.js'
import { Minions } from './support/minions.js'

const AGENT = '0b5c7d9e-1111-4222-8333-444455556666'
const NOTE = 'a1b2c3d4-1111-4222-8333-444455556666'
const TIME = '2026-01-31T09:30:00.000Z'

/** A minion as minions-sdk writes it: what is absent is null. */
const agentYaml = `id: ${AGENT}
title: "Researcher: one"
minionTypeId: builtin-agent
fields:
  role: researcher
  model: null
  systemPrompt: |
    You find papers.
      Indented.
    
    Bye.
  temperature: 0.5
  tools: [web-search, 12, "a, b", true]
createdAt: "${TIME}"
updatedAt: "${TIME}"
tags: [2024, x]
status: active
priority: null
description: null
dueDate: null
categoryId: null
folderId: null
createdBy: @me
searchableText: "researcher: one"
`

const noteJson = {
  id: NOTE,
  title: 'A note',
  minionTypeId: 'builtin-note',
  fields: { content: 'x' },
  createdAt: TIME,
  updatedAt: TIME,
  status: 'active',
  deletedAt: null,
  deletedBy: null,
  searchableText: 'a note x',
}

function write(minions: Minions, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = minions.path(name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}

function sdkFolder(further: Readonly<Record<string, unknown>> = {}): Minions {
  const minions = new Minions()
  write(minions, { [`sdk/0b/5c/${AGENT}.yaml`]: agentYaml, [`sdk/a1/b2/${NOTE}.json`]: noteJson, ...further })
  return minions
}

describe('the YAML of minions-sdk', () => {
  it('is read as its writer means it', () => {
    const text =
      'a: -x\nb: @y\nc: "1: \\"\\\\n\\""\nd:\n\ne: |\n  one\n  \n    two\n  \nf:\n  - name: x\n    size: 1\n  - name: y\ng:\n  - 1\n  - z\nh: 5\n'
    expect(readSdkYaml(text)).toEqual({
      a: '-x',
      b: '@y',
      c: '1: "\\n"',
      d: {},
      e: 'one\n\n  two\n',
      f: [{ name: 'x', size: 1 }, { name: 'y' }],
      g: [1, 'z'],
      h: 5,
    })
    const list = readSdkYaml('a: [1, "x, \\"y\\"", true, ]').a as InlineList
    expect([list.texts(), list.values()]).toEqual([
      ['1', 'x, "y"', 'true'],
      [1, 'x, "y"', true],
    ])
  })

  it.each(['no colon', 'a: 1\n    b: 2', 'a:\n  - b:\n      c: 1'])(
    'is refused where it lost something: %j',
    (text) => {
      expect(() => readSdkYaml(text)).toThrow(/^line \d+ /)
    },
  )
})

describe('import --from minions-sdk', () => {
  it('takes minions with their ids and times, and makes absent what is null', async () => {
    const minions = sdkFolder()
    const report = await minions.json(['import', '--from', 'minions-sdk', './sdk'])
    expect(report).toEqual({
      read: { types: 0, minions: 2, relations: 0 },
      added: { types: 0, minions: 2, relations: 0 },
    })
    const agent = await minions.json(['get', AGENT])
    expect(agent).toEqual({
      id: AGENT,
      title: 'Researcher: one',
      minionTypeId: 'builtin-agent',
      fields: {
        role: 'researcher',
        systemPrompt: 'You find papers.\n  Indented.\n\nBye.',
        temperature: 0.5,
        tools: ['web-search', '12', 'a, b', 'true'],
      },
      createdAt: TIME,
      updatedAt: TIME,
      tags: ['2024', 'x'],
      status: 'active',
      createdBy: '@me',
      searchableText: expect.any(String),
    })
    const { deletedAt: _a, deletedBy: _b, searchableText: _c, ...rest } = noteJson
    expect(await minions.json(['get', NOTE])).toMatchObject(rest)
    expect(await minions.json(['search', 'papers'])).toHaveLength(1)
    expect((await minions.json(['import', '--from', 'minions-sdk', './sdk'])).added.minions).toBe(0)
    expect(await minions.here(['doctor'])).toMatchObject({ code: 0 })
  })

  it('takes single files that its command works on', async () => {
    const minions = new Minions()
    write(minions, { 'sdk/note.json': noteJson, 'sdk/minions.config.json': { specVersion: '0.1' } })
    expect((await minions.json(['import', '--from', 'minions-sdk', './sdk'])).added.minions).toBe(1)
  })

  it('takes the types beside them', async () => {
    const minions = sdkFolder({
      'sdk/book.type.json': {
        id: 'custom-book',
        name: 'Book',
        slug: 'book',
        icon: null,
        schema: [{ name: 'isbn', type: 'string' }],
      },
      'sdk/ff/ff/ffff.json': { ...noteJson, id: 'ffff', minionTypeId: 'custom-book', fields: { isbn: '1' } },
    })
    expect((await minions.json(['import', '--from', 'minions-sdk', './sdk'])).added).toEqual({
      types: 1,
      minions: 3,
      relations: 0,
    })
    expect(await minions.json(['list', '--type', 'book'])).toMatchObject([{ id: 'ffff' }])
  })

  it('names every record that it cannot take, and takes none', async () => {
    const minions = sdkFolder({
      'sdk/bb/bb/bbbb.json': '{ broken',
      'sdk/cc/cc/cccc.json': { ...noteJson, id: 'cccc', minionTypeId: 'custom-book' },
      'sdk/dd/dd/dddd.json': { ...noteJson, id: 'dddd', fields: {} },
      'sdk/ee/ee/eeee.json': { ...noteJson, id: 'eeee', status: 'sleeping' },
      'sdk/aa/aa/aaaa.json': noteJson,
    })
    const outcome = await minions.here(['import', '--from', 'minions-sdk', './sdk'])
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('IMPORT_REFUSED: 5 records') })
    for (const name of ['bb/bb/bbbb', 'cc/cc/cccc', 'dd/dd/dddd', 'ee/ee/eeee', 'aa/aa/aaaa']) {
      expect(outcome.stderr).toMatch(new RegExp(`^${name}[^\\n]*: `, 'm'))
    }
    expect(outcome.stderr).toContain('"custom-book" is not known')
    expect(await minions.json(['list'])).toEqual([])
  })

  it('is offered where its folder is taken for a store or a bundle', async () => {
    const minions = sdkFolder()
    for (const args of [
      ['list', '--storage', 'fs:./sdk'],
      ['doctor', '--storage', 'fs:./sdk'],
      ['import', './sdk'],
    ]) {
      const outcome = await minions.here(args)
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('minions import --from minions-sdk') })
    }
    expect(existsSync(minions.path('sdk', '.minions'))).toBe(false)
    expect(await minions.here(['import', '.'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('FILE_UNREADABLE'),
    })
    expect(await minions.here(['import', '--from', 'minions-sdk', './none'])).toMatchObject({ code: 1 })
  })
})

describe('import --from minions-prompts', () => {
  const prompt = {
    ...noteJson,
    id: 'p1',
    title: 'Greeting',
    minionTypeId: 'minions-prompts/prompt-template',
    fields: { content: 'Hello {{name}}', description: null, variables: ['name'], tags: [] },
  }
  const version = {
    ...prompt,
    id: 'v1',
    title: 'Greeting v2',
    minionTypeId: 'minions-prompts/prompt-version',
    fields: { content: 'Hi {{name}}', versionNumber: 2, changelog: 'shorter', variables: ['name'] },
    createdAt: '2026-02-01T09:30:00.000Z',
  }
  const follows = { id: 'r1', sourceId: 'v1', targetId: 'p1', type: 'follows', createdAt: TIME, metadata: null }

  it.each([
    [
      'an exported prompt',
      './p.json',
      { 'p.json': { prompt, versions: [version], testResults: [], relations: [follows], exportedAt: TIME } },
    ],
    [
      'its folder',
      './.prompts-data',
      { '.prompts-data/db.json': { minions: { p1: prompt, v1: version }, relations: [follows] } },
    ],
    [
      'the folder around it',
      '.',
      { '.prompts-data/db.json': { minions: { p1: prompt, v1: version }, relations: [follows] } },
    ],
  ])('takes %s', async (_what, path, files) => {
    const minions = new Minions()
    write(minions, files)
    const report = await minions.json(['import', '--from', 'minions-prompts', path])
    expect(report.added).toEqual({ types: 0, minions: 2, relations: 1 })
    const { stdout } = await minions.here(['prompts', 'render', 'Greeting', '--version', 'v1', '--var', 'name=Ada'])
    expect(stdout).toBe('Hi Ada\n')
  })

  it('names a relation that leads nowhere, and is offered for its folder', async () => {
    const minions = new Minions()
    write(minions, { 'data/db.json': { minions: { p1: prompt }, relations: [follows] } })
    const outcome = await minions.here(['import', '--from', 'minions-prompts', './data'])
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('relations/0: it relates "v1"') })
    expect((await minions.here(['create', 'note', '--title', 'x', '--storage', 'fs:./data'])).stderr).toContain(
      'minions import --from minions-prompts',
    )
    const missing = await minions.here(['import', '--from', 'minions-prompts', '.'])
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no db.json') })
  })
})

describe('import --from miminions', () => {
  const fixture = join(import.meta.dirname, '../../workspace/test/fixtures/workspaces.python.json')

  function home(): Minions {
    const minions = new Minions()
    mkdirSync(minions.path('mi'))
    cpSync(fixture, minions.path('mi', 'workspaces.json'))
    return minions
  }

  it('takes its workspaces, whose folders stay where they are', async () => {
    const minions = home()
    const ids = Object.keys(JSON.parse(readFileSync(fixture, 'utf8')))
    mkdirSync(minions.path('mi', 'workspaces', `ws_${ids[0]}`), { recursive: true })
    const report = await minions.json(['import', '--from', 'miminions', './mi'])
    expect(report).toEqual({ read: { workspaces: ids.length }, added: { workspaces: ids.length } })
    const taken: { id: string; root_path: string | null }[] = await minions.json(['workspace', 'list'])
    expect(taken.map(({ id }) => id)).toEqual(ids)
    expect(taken[0]?.root_path).toBe(minions.path('mi', 'workspaces', `ws_${ids[0]}`))
    expect((await minions.json(['import', '--from', 'miminions', './mi'])).added).toEqual({ workspaces: 0 })
    const intoStore = ['import', '--from', 'miminions', './mi', '--storage', 'sqlite:./w.db']
    expect((await minions.json(intoStore)).added).toEqual({ workspaces: ids.length })
  })

  it('names one that it cannot take, and takes none', async () => {
    const minions = home()
    const file = minions.path('mi', 'workspaces.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"load": 0.3', '"load": NaN'))
    const outcome = await minions.here(['import', '--from', 'miminions', './mi'])
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/IMPORT_REFUSED.*\/load is NaN/) })
    expect(await minions.json(['workspace', 'list'])).toEqual([])
  })

  it('is offered where its home is taken for a store', async () => {
    const minions = home()
    expect((await minions.here(['list', '--storage', 'fs:./mi'])).stderr).toContain('minions import --from miminions')
    const own = await minions.here(['import', '--from', 'miminions', '.'])
    expect(own).toMatchObject({ code: 1, stderr: expect.stringContaining('current home folder') })
  })
})
