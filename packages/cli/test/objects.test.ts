import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

describe('objects', () => {
  it('lives a whole life: create, get, update, delete, restore, purge', async () => {
    const minions = new Minions()
    const note = await minions.json([
      'create',
      'note',
      '--title',
      'Hello',
      '--content',
      'Kept.',
      '--tag',
      'a,b',
      '--by',
      'ada',
    ])
    expect(note).toMatchObject({ title: 'Hello', tags: ['a', 'b'], fields: { content: 'Kept.' }, createdBy: 'ada' })
    expect(await minions.json(['get', note.id])).toEqual(note)
    const updated = await minions.json(['update', note.id, '--status', 'completed', '--content', 'Changed.'])
    expect(updated).toMatchObject({ status: 'completed', fields: { content: 'Changed.' } })
    expect(await minions.json(['delete', note.id])).toHaveProperty('deletedAt', expect.any(String))
    expect(await minions.json(['list'])).toEqual([])
    expect(await minions.json(['list', '--deleted'])).toHaveLength(1)
    await minions.json(['restore', note.id])
    const refused = await minions.here(['purge', note.id])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^minions: CONFIRMATION_REQUIRED: .*--yes/)
    expect(await minions.json(['list'])).toHaveLength(1)
    expect(await minions.here(['purge', note.id], { input: 'yes\n' })).toMatchObject({ code: 0 })
    expect(await minions.here(['get', note.id])).toMatchObject({ code: 1 })
  })

  it('reads content from a file and from standard input', async () => {
    const minions = new Minions()
    writeFileSync(minions.path('text.md'), '# From a file\n')
    const fromFile = await minions.json(['create', 'note', '--title', 'A', '--content', '@text.md'])
    expect(fromFile.fields.content).toBe('# From a file\n')
    const piped = await minions.json(['create', 'note', '--title', 'B', '--content', '-'], { input: 'piped ünïcode' })
    expect(piped.fields.content).toBe('piped ünïcode')
    const literal = await minions.json(['create', 'note', '--title', 'C', '--content', '@@ada'])
    expect(literal.fields.content).toBe('@ada')
    const fields = await minions.json(['create', 'note', '--title', 'D', '--fields', '-'], {
      input: '{"content":"json"}',
    })
    expect(fields.fields.content).toBe('json')
  })

  it('reads fields as their type says', async () => {
    const minions = new Minions()
    const thought = await minions.json([
      ...['create', 'thought', '--title', 'T', '--field', 'content=a=b', '--field', 'confidence=0.5'],
    ])
    expect(thought.fields).toMatchObject({ content: 'a=b', confidence: 0.5 })
    const wrong = await minions.here([
      'create',
      'thought',
      '--title',
      'T',
      '--field',
      'content=x',
      '--field',
      'confidence=7',
    ])
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(/^minions: VALIDATION_FAILED: .*confidence/)
  })

  it('lists, filters, orders, pages and searches', async () => {
    const minions = new Minions()
    for (const title of ['Alpha', 'Beta', 'Gamma']) {
      await minions.json(['create', 'note', '--title', title, '--content', `about ${title}`])
    }
    const titles = async (...args: string[]) =>
      (await minions.json(args)).map((minion: { title: string }) => minion.title)
    expect(await titles('list', '--order', 'title:desc')).toEqual(['Gamma', 'Beta', 'Alpha'])
    const byTitle = ['list', '--order', 'title']
    expect(await titles(...byTitle, '--where', '{"title":{"gte":"Beta"}}')).toEqual(['Beta', 'Gamma'])
    expect(await titles('search', 'gam')).toEqual(['Gamma'])
    const page = await minions.here([...byTitle, '--limit', '2'])
    const cursor = /--cursor (\S+)/.exec(page.stderr)?.[1] ?? ''
    expect(await titles(...byTitle, '--limit', '2', '--cursor', cursor)).toEqual(['Gamma'])
    expect(page.stdout.split('\n')[0]).toMatch(/^ID +TYPE +TITLE +STATUS/)
  })

  it('keeps what somebody put into a title from reaching the terminal as commands', async () => {
    const minions = new Minions()
    await minions.json(['create', 'note', '--title', 'red \u001b[31mtext\nnext', '--content', 'x'])
    const { stdout } = await minions.here(['list'])
    expect(stdout).not.toContain('\u001b')
    expect(stdout.trim().split('\n')).toHaveLength(2)
  })
})

describe('types', () => {
  it('creates a type, uses it and evolves it', async () => {
    const minions = new Minions()
    const fields = ['--field', 'author:string!', '--field', 'year:number']
    await minions.json(['types', 'create', '--slug', 'book', '--name', 'Book', ...fields])
    const shown = await minions.here(['types', 'show', 'book'])
    expect(shown.stdout).toMatch(/author +string +yes/)
    const book = await minions.json(['create', 'book', '--title', 'B', '--field', 'author=Ada', '--field', 'year=1843'])
    expect((await minions.here(['list'])).stdout).toMatch(/ book +B +active/)
    const change = ['types', 'evolve', 'book', '--drop', 'year', '--field', 'shelf:string']
    const plan = await minions.json([...change, '--dry-run'])
    expect(plan.minions).toMatchObject([{ id: book.id, movedToLegacy: ['year'] }])
    expect((await minions.json(['get', book.id])).fields.year).toBe(1843)
    expect(await minions.here(change)).toMatchObject({ code: 1 })
    await minions.json([...change, '--yes'])
    expect(await minions.json(['get', book.id])).toMatchObject({ fields: { author: 'Ada' }, _legacy: { year: 1843 } })
  })

  it('converts values with the functions of a module', async () => {
    const minions = new Minions()
    await minions.json(['types', 'create', '--slug', 'book', '--name', 'Book', '--field', 'year:string'])
    const make = async (year: string): Promise<string> =>
      (await minions.json(['create', 'book', '--title', 'B', '--field', `year=${year}`])).id
    const [good, bad] = [await make('1843'), await make('MDCCC')]
    writeFileSync(minions.path('years.mjs'), 'export default { year: (value) => Number(value) }')
    writeFileSync(minions.path('wrong.mjs'), 'export default 5')
    const change = ['types', 'evolve', 'book', '--field', 'year:number']
    const wrong = await minions.here([...change, '--transform', 'wrong.mjs'])
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('MODULE_UNUSABLE') })
    const plan = await minions.here([...change, '--transform', 'years.mjs', '--dry-run'])
    expect(plan.stdout).toMatch(/CONVERTED +NOT CONVERTED/)
    expect(plan.stdout).toContain('year: The transform returned a value that is invalid')
    await minions.json([...change, '--transform', 'years.mjs', '--yes'])
    expect((await minions.json(['get', good])).fields).toEqual({ year: 1843 })
    expect(await minions.json(['get', bad])).toMatchObject({ fields: {}, _legacy: { year: 'MDCCC' } })
  })

  it('takes a definition from a file and refuses a bad one with everything that is wrong', async () => {
    const minions = new Minions()
    writeFileSync(minions.path('type.json'), JSON.stringify({ slug: 'shelf', name: 'Shelf', schema: [] }))
    expect(await minions.json(['types', 'create', '--definition', '@type.json'])).toMatchObject({ slug: 'shelf' })
    const again = await minions.here(['types', 'create', '--definition', '@type.json'])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^minions: ALREADY_REGISTERED/) })
    const number = await minions.here(['types', 'create', '--definition', '{"slug":5}'])
    expect(number).toMatchObject({ code: 1, stderr: expect.stringContaining('INVALID_TYPE') })
    const bad = await minions.here(['types', 'create', '--definition', '{"slug":"Not Kebab","schema":[{"name":"x"}]}'])
    expect(bad).toMatchObject({ code: 1, stderr: expect.stringMatching(/INVALID_TYPE: .*slug.*schema/) })
  })
})

describe('relations', () => {
  it('links, draws, shows as a tree and unlinks', async () => {
    const minions = new Minions()
    const make = async (title: string): Promise<string> => (await minions.json(['create', 'task', '--title', title])).id
    const [a, b] = [await make('Plan'), await make('Do')]
    const relation = await minions.json(['link', a, 'parent_of', b])
    expect(relation).toMatchObject({ sourceId: a, targetId: b, type: 'parent_of' })
    const tree = await minions.here(['tree', a])
    expect(tree.stdout).toMatch(/^Plan .*\n└─ Do /)
    expect((await minions.here(['graph'])).stdout).toMatch(/^flowchart[\s\S]*parent/)
    expect((await minions.here(['graph', '--format', 'dot'])).stdout).toMatch(/^digraph/)
    expect(await minions.here(['link', a, 'likes', b])).toMatchObject({ code: 2 })
    expect(await minions.here(['link', a, 'parent_of', 'nobody'])).toMatchObject({ code: 1 })
    await minions.json(['unlink', a, 'parent_of', b])
    expect(await minions.here(['unlink', a, 'parent_of', b])).toMatchObject({ code: 1 })
  })
})
