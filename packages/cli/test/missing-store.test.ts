import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

const READING = [
  ['get', 'x'],
  ['list'],
  ['search', 'x'],
  ['update', 'x', '--title', 'y'],
  ['delete', 'x', '--yes'],
  ['link', 'x', 'relates_to', 'y'],
  ['tree', 'x'],
  ['graph'],
  ['export'],
  ['export', '--all'],
  ['prompts', 'list'],
  ['agents', 'list'],
  ['artifacts', 'list', '--tenant', 't'],
  ['colony', 'status', 'x', '--tenant', 't'],
  ['types', 'list'],
  ['skills', 'list'],
  ['workspace', 'list'],
]

describe('a store that does not exist', () => {
  it.each(['sqlite:./none.db', 'fs:./none'])('%s is not created by a command that reads', async (url) => {
    const minions = new Minions()
    for (const args of READING) {
      const outcome = await minions.here([...args, '--storage', url])
      expect({ args, ...outcome }).toMatchObject({ args, code: 1, stderr: expect.stringContaining('NOT_FOUND') })
      expect(outcome.stderr).toContain(
        `minions create note --title Hello --content World --storage ${url.replace('./', `${minions.home}/`)}`,
      )
    }
    expect(readdirSync(minions.home)).toEqual([])
  })

  it('is said to be missing when no store was named, apart from what is known without one', async () => {
    const minions = new Minions()
    expect(await minions.here(['list'])).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_FOUND') })
    const types: { slug: string }[] = await minions.json(['types', 'list'])
    expect(types.map(({ slug }) => slug)).toContain('note')
    expect(await minions.json(['skills', 'list'])).toEqual([])
    expect(await minions.here(['schemas', 'export', '--type', 'note'])).toMatchObject({ code: 0 })
    expect(readdirSync(minions.home)).toEqual([])
  })

  it('includes an empty folder', async () => {
    const minions = new Minions()
    mkdirSync(minions.path('empty'))
    expect(await minions.here(['list', '--storage', 'fs:./empty'])).toMatchObject({ code: 1 })
    expect(await minions.here(['doctor', '--storage', 'fs:./empty'])).toMatchObject({ code: 1 })
    expect(await minions.here(['doctor'])).toMatchObject({ code: 0 })
    expect(readdirSync(minions.path('empty'))).toEqual([])
  })

  it.each([
    [['create', 'note', '--title', 'A', '--content', 'x']],
    [['types', 'create', '--name', 'Book', '--slug', 'book', '--field', 'isbn:string']],
    [['prompts', 'new', '--title', 'P', '--content', 'x']],
    [['workspace', 'add', '--name', 'w']],
  ])('is created by %j', async (args) => {
    const minions = new Minions()
    await minions.json([...args, '--storage', 'sqlite:./new.db'])
    expect(existsSync(minions.path('new.db'))).toBe(true)
  })
})
