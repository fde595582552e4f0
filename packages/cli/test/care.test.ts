import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { filled, Minions } from './support/minions.js'

/** The database file of a store, without any of our code. */
function openDatabase(path: string) {
  const load = createRequire(createRequire(import.meta.url).resolve('@minions/storage-sqlite'))
  return new (load('better-sqlite3'))(path)
}

describe('export and import', () => {
  it('moves everything through a file and through a pipe', async () => {
    const here = await filled()
    expect(await here.here(['export', '--output', 'all.jsonl'])).toMatchObject({ code: 0, stdout: '' })
    const piped = await here.here(['export'])
    expect(piped.stdout).toBe(readFileSync(here.path('all.jsonl'), 'utf8'))
    const there = new Minions()
    const report = await there.json(['import', '-'], { input: piped.stdout })
    expect(report.added).toMatchObject({ minions: 2, relations: 1 })
    expect((await there.json(['import', here.path('all.jsonl')])).added).toMatchObject({ minions: 0 })
    const damaged = piped.stdout.replace('first', 'fisrt')
    const refused = await there.here(['import', '-'], { input: damaged })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_BUNDLE') })
  })
})

describe('doctor', () => {
  it('is content with a sound store, and with none', async () => {
    expect(await new Minions().here(['doctor'])).toMatchObject({ code: 0, stdout: 'No problems found.\n' })
    expect(await (await filled()).run(['doctor'])).toMatchObject({ code: 0 })
  })

  it('finds dangling relations and orphans', async () => {
    const minions = await filled()
    const database = openDatabase(minions.path('minions.db'))
    database.pragma('foreign_keys = OFF')
    const [{ id }] = await minions.json(['list'])
    database.prepare('delete from minions where id = ?').run(id)
    database.close()
    const outcome = await minions.here(['doctor', '--json'])
    expect(outcome.code).toBe(1)
    expect(JSON.parse(outcome.stdout)).toMatchObject([{ kind: 'dangling relation', where: 'relations' }])
  })

  it('finds minions without a type, records that do not fit, and a file that is no store', async () => {
    const minions = await filled()
    const change = (title: string, path: string, value: unknown) => {
      const database = openDatabase(minions.path('minions.db'))
      const edit = 'update minions set _doc = json_set(_doc, ?, ?) where title = ?'
      database.prepare(edit).run(path, value, title)
      database.close()
    }
    change('A', '$.minionTypeId', 'gone')
    change('B', '$.title', 5)
    const { code, stdout } = await minions.here(['doctor'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^orphan in minions: .* is of the type "gone", which does not exist$/m)
    expect(stdout).toMatch(/^damaged in minions: .*\/title must be a string\.$/m)
    writeFileSync(minions.path('minions.db'), 'this is no database, whatever its name says. '.repeat(200))
    const damaged = await minions.here(['doctor', '--json'])
    expect(damaged.code).toBe(1)
    expect(JSON.parse(damaged.stdout)).toMatchObject([{ kind: 'damaged', where: minions.path('minions.db') }])
  })

  it('finds damaged files of a store of files', async () => {
    const minions = new Minions()
    const storage = ['--storage', 'fs:./data']
    await minions.json(['create', 'note', '--title', 'A', '--content', 'x', ...storage])
    const file = readdirSync(minions.path('data'), { recursive: true, encoding: 'utf8' }).find((name) =>
      /^minions\/.*\.json$/.test(name),
    ) as string
    writeFileSync(minions.path('data', file), '{ broken')
    const outcome = await minions.here(['doctor', ...storage])
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringMatching(/^damaged in /) })
  })

  it('finds edges of workspaces that lead one way only', async () => {
    const minions = new Minions()
    await minions.json(['workspace', 'add', '--name', 'demo', '--sample'])
    const path = minions.path('workspaces.json')
    const file = JSON.parse(readFileSync(path, 'utf8'))
    const [workspace] = Object.values(file) as { nodes: Record<string, { connections: string[] }> }[]
    const connected = Object.values(workspace?.nodes ?? {}).find(({ connections }) => connections.length > 0)
    connected?.connections.shift()
    writeFileSync(path, JSON.stringify(file))
    const outcome = await minions.here(['doctor'])
    expect(outcome).toMatchObject({ code: 1, stdout: expect.stringMatching(/asymmetric edge .*does not lead back/) })
  })
})

describe('doctor --fix', () => {
  it('removes relations to nothing, keeps them in a file, and says what it cannot mend', async () => {
    const minions = await filled()
    const database = openDatabase(minions.path('minions.db'))
    database.pragma('foreign_keys = OFF')
    const removed = JSON.parse(database.prepare('select _doc from relations').pluck().get())
    database.prepare("delete from minions where title = 'B'").run()
    const orphan = "update minions set _doc = json_set(_doc, '$.minionTypeId', 'gone') where title = 'A'"
    database.prepare(orphan).run()
    database.close()

    const fixed = await minions.here(['doctor', '--fix', '--json'])
    expect(fixed).toMatchObject({ code: 1, stderr: '' })
    const { done, kept, remaining } = JSON.parse(fixed.stdout)
    expect(done).toEqual([
      `Removed the relation "${removed.id}": ${removed.sourceId} ${removed.type} ${removed.targetId}.`,
    ])
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual(removed)
    expect(remaining).toMatchObject([{ kind: 'orphan', where: 'minions' }])
    const again = await minions.here(['doctor', '--fix'])
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/create the record it refers to[\s\S]*1 problem found/),
    })
  })

  it.each([
    ['home folder', []],
    ['store', ['--storage', 'sqlite:./minions.db']],
  ])('connects nodes of workspaces of the %s both ways', async (_, storage) => {
    const minions = new Minions()
    await minions.json(['workspace', 'add', '--name', 'demo', '--sample', ...storage])
    const breakEdges = (workspace: { nodes: Record<string, { connections: string[] }> }) => {
      const nodes = Object.values(workspace.nodes).filter(({ connections }) => connections.length > 0)
      nodes[0]?.connections.shift()
      nodes[1]?.connections.push('nowhere')
    }
    if (storage.length === 0) {
      const file = JSON.parse(readFileSync(minions.path('workspaces.json'), 'utf8'))
      breakEdges(Object.values<Parameters<typeof breakEdges>[0]>(file)[0] ?? { nodes: {} })
      writeFileSync(minions.path('workspaces.json'), JSON.stringify(file))
    } else {
      const database = openDatabase(minions.path('minions.db'))
      const workspace = JSON.parse(database.prepare('select _doc from workspaces').pluck().get())
      breakEdges(workspace)
      database.prepare('update workspaces set _doc = ?').run(JSON.stringify(workspace))
      database.close()
    }
    const { code, stdout } = await minions.here(['doctor', '--fix', ...storage])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Connected node "[^"]+" back to "[^"]+" in workspace demo\.$/m)
    expect(stdout).toMatch(
      /^Removed the connection of node "[^"]+" to "nowhere", which does not exist, in workspace demo\.$/m,
    )
    expect(stdout).toMatch(/\n\n2 problems were repaired\. No problems remain\.\n$/)
    expect(await minions.here(['doctor', ...storage])).toMatchObject({ code: 0, stdout: 'No problems found.\n' })
  })

  it('changes nothing in a sound store', async () => {
    const minions = await filled()
    const before = (await minions.here(['export'])).stdout
    expect(await minions.here(['doctor', '--fix'])).toMatchObject({ code: 0, stdout: 'No problems found.\n' })
    expect((await minions.here(['export'])).stdout).toBe(before)
    expect(readdirSync(minions.home)).not.toContain('doctor')
  })
})

describe('schemas', () => {
  it('lists and exports them', async () => {
    const minions = new Minions()
    const list = await minions.json(['schemas', 'list'])
    expect(list.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['minion', 'skill']))
    expect(JSON.parse((await minions.here(['schemas', 'export', 'minion'])).stdout)).toHaveProperty('$id')
    expect(await minions.here(['schemas', 'export', '--to', './out'])).toMatchObject({ code: 0 })
    expect(readdirSync(minions.path('out'))).toHaveLength(list.length)
    expect(JSON.parse((await minions.here(['schemas', 'export', '--type', 'task'])).stdout)).toHaveProperty(
      'properties',
    )
  })
})
