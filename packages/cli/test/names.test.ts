import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

/** A store with the type book and one of them. */
async function withBook() {
  const minions = new Minions()
  const fields = ['--field', 'author:string!', '--field', 'year:number']
  await minions.json(['types', 'create', '--slug', 'book', '--name', 'Book', ...fields])
  const book = await minions.json([
    ...['create', 'book', '--title', 'Notes', '--field', 'author=Ada', '--field', 'year=1843'],
    ...['--due', '2026-01-31', '--priority', 'high', '--tag', 'old'],
  ])
  return { minions, book }
}

describe('misspelt names', () => {
  it.each([
    [['list', '--order', 'titel'], 'title'],
    [['list', '--where', '{"prority":"high"}'], 'priority'],
    [['list', '--type', 'book', '--order', 'fields.yer'], 'fields.year'],
    [['list', '--type', 'book', '--order', 'yer'], 'fields.year'],
    [['search', 'notes', '--type', 'book', '--where', '{"fields.autor":"Ada"}'], 'fields.author'],
  ])('%j is refused with the nearest name', async (args, nearest) => {
    const { minions } = await withBook()
    const { code, stdout, stderr } = await minions.here(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^minions: INVALID_QUERY: [^\n]+\n$/)
    expect(stderr).toContain(`did you mean "${nearest}"?`)
  })

  it('are stored as fields with a warning, since fields that a type does not have are kept', async () => {
    const { minions, book } = await withBook()
    const created = await minions.here(
      ['create', 'book', '--title', 'B', '--field', 'author=x', '--field', 'yer=3', '--json'],
      {},
    )
    expect(created.code).toBe(0)
    expect(JSON.parse(created.stdout).fields).toEqual({ author: 'x', yer: '3' })
    expect(created.stderr).toBe('"yer" was stored, but Book has no such field; did you mean "year"?\n')
    const updated = await minions.here(['update', book.id, '--field', 'shelf=4', '--content', 'text'])
    expect(updated.code).toBe(0)
    expect(updated.stderr.split('\n')).toEqual([
      '"content" was stored, but Book has no such field; it has author, year.',
      '"shelf" was stored, but Book has no such field; it has author, year.',
      '',
    ])
    // From now on the minion has it.
    expect(await minions.here(['update', book.id, '--field', 'shelf=5'])).toMatchObject({ code: 0, stderr: '' })
    const attribute = await minions.here(['create', 'task', '--title', 'T', '--field', 'priority=high'])
    expect(attribute.stderr).toBe('"priority" was stored, but Task has no such field; did you mean --priority?\n')
  })

  it('cannot be removed', async () => {
    const { minions, book } = await withBook()
    for (const [name, guess] of [
      ['prority', 'did you mean "priority"?'],
      ['yer', 'did you mean "year"?'],
      ['elsewhere', 'it has author, year, '],
    ] as const) {
      const { code, stderr } = await minions.here(['update', book.id, '--title', 'Other', '--unset', name])
      expect(code).toBe(1)
      expect(stderr).toMatch(/^minions: VALIDATION_FAILED: [^\n]+\n$/)
      expect(stderr).toContain(`no "${name}"`)
      expect(stderr).toContain(guess)
    }
    expect(await minions.json(['get', book.id])).toEqual(book)
  })
})

describe('--unset', () => {
  it('removes attributes and fields, also a field that the type does not have', async () => {
    const { minions, book } = await withBook()
    const names = ['dueDate', 'priority', 'tags', 'year'].flatMap((name) => ['--unset', name])
    const updated = await minions.json(['update', book.id, ...names])
    expect(updated).toMatchObject({ title: 'Notes', fields: { author: 'Ada' } })
    for (const name of ['dueDate', 'priority', 'tags']) expect(updated).not.toHaveProperty(name)
    expect(updated.fields).not.toHaveProperty('year')
    await minions.json(['update', book.id, '--field', 'shelf=4'])
    expect((await minions.json(['update', book.id, '--unset', 'shelf'])).fields).toEqual({ author: 'Ada' })
  })

  it('does not remove what is required', async () => {
    const { minions, book } = await withBook()
    for (const name of ['title', 'author']) {
      const { code, stderr } = await minions.here(['update', book.id, '--unset', name])
      expect(code).toBe(1)
      expect(stderr).toMatch(new RegExp(`^minions: VALIDATION_FAILED: .*"${name}"`))
    }
  })

  it('means the field where a type has one with the name of an attribute', async () => {
    const minions = new Minions()
    await minions.json(['types', 'create', '--slug', 'job', '--name', 'Job', '--field', 'priority:number'])
    const args = ['create', 'job', '--title', 'J', '--priority', 'low', '--field', 'priority=3']
    const { id } = await minions.json(args)
    expect(await minions.json(['update', id, '--unset', 'priority'])).toMatchObject({ priority: 'low', fields: {} })
  })
})
