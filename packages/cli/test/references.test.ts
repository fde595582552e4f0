import { describe, expect, it } from 'vitest'
import { pick } from '../src/input/references.js'
import { Minions } from './support/minions.js'

describe('a minion is meant', () => {
  it('by its id, the beginning of its id, its title, and its title as a slug', async () => {
    const minions = new Minions()
    const { id } = await minions.json(['create', 'task', '--title', 'Call Ada, now'])
    for (const reference of [id, id.slice(0, 8), 'Call Ada, now', 'call ada, NOW', 'call-ada-now']) {
      expect(await minions.json(['get', reference])).toMatchObject({ id })
    }
    expect(await minions.json(['update', 'call-ada-now', '--status', 'completed'])).toMatchObject({ id })
  })

  it('wherever an id is asked for', async () => {
    const minions = new Minions()
    const a = await minions.json(['create', 'task', '--title', 'First'])
    const b = await minions.json(['create', 'task', '--title', 'Second'])
    expect(await minions.json(['link', 'First', 'parent_of', 'second'])).toMatchObject({
      sourceId: a.id,
      targetId: b.id,
    })
    expect(await minions.json(['tree', 'First'])).toMatchObject({ children: [{ minion: { id: b.id } }] })
    expect(await minions.json(['unlink', 'First', 'parent_of', 'Second'])).toMatchObject({ sourceId: a.id })
    expect(await minions.json(['delete', 'Second'])).toMatchObject({ id: b.id })
    expect(await minions.json(['restore', 'Second'])).toMatchObject({ id: b.id })
    expect(await minions.json(['purge', 'Second', '--yes'])).toMatchObject({ id: b.id })
  })

  it('as the one that is not deleted, except by restore', async () => {
    const minions = new Minions()
    const old = await minions.json(['create', 'task', '--title', 'Twice'])
    await minions.json(['delete', old.id])
    const kept = await minions.json(['create', 'task', '--title', 'Twice'])
    expect(await minions.json(['get', 'Twice'])).toMatchObject({ id: kept.id })
    expect(await minions.json(['restore', 'Twice'])).toMatchObject({ id: old.id })
  })

  it('or else those that may be meant are listed, or the nearest title is', async () => {
    const minions = new Minions()
    const ids = [await minions.json(['create', 'task', '--title', 'Same'])].map(({ id }) => id)
    ids.push((await minions.json(['create', 'task', '--title', 'Same'])).id)
    const several = await minions.here(['get', 'Same'])
    expect(several).toMatchObject({ code: 1, stdout: '' })
    expect(several.stderr).toMatch(/^minions: AMBIGUOUS_REFERENCE: /)
    for (const id of ids) expect(several.stderr).toContain(id)
    const misspelt = await minions.here(['get', 'Smae'])
    expect(misspelt.stderr).toBe('minions: NOT_FOUND: There is no minion "Smae"; did you mean "Same"?\n')
  })
})

describe('prompts', () => {
  it('are meant by the beginning of their id, too', async () => {
    const minions = new Minions()
    const { id } = await minions.json(['prompts', 'new', '--title', 'Hi', '--content', 'Hi'])
    expect(await minions.json(['prompts', 'show', id.slice(0, 10)])).toMatchObject({ id })
  })
})

describe('pick', () => {
  const kind = {
    what: 'a subagent',
    list: 'minions agents list',
    named: (one: { id: string; name?: string }) => one,
  }

  it('takes a whole id before a beginning, and a name before a beginning', () => {
    const all = [{ id: 'abcd' }, { id: 'abcdef' }, { id: 'x', name: 'abcde' }]
    expect(pick('abcd', all, kind)).toBe(all[0])
    expect(pick('abcde', all, kind)).toBe(all[2])
    expect(pick('abcdef', all, kind)).toBe(all[1])
  })

  it('takes nothing for a beginning that is too short, and says how to list all', () => {
    expect(() => pick('abc', [{ id: 'abcdef' }], kind)).toThrow(
      'There is no subagent "abc"; list them with: minions agents list',
    )
  })
})
