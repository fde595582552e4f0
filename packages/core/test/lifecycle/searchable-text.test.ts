import { describe, expect, it } from 'vitest'
import { migrateMinion } from '../../src/evolution/index.js'
import { createMinion, type MinionType, restoreMinion, softDelete, updateMinion } from '../../src/index.js'
import { searchableText } from '../../src/storage/index.js'
import { agentType } from '../../src/types/index.js'

const type: MinionType = agentType

describe('decision 1.14: searchableText', () => {
  it('is the lower-cased title, description, tags and texts in fields', () => {
    const { minion } = createMinion(
      {
        title: 'ÄRGER',
        description: 'Über',
        tags: ['One', 'Two'],
        fields: { role: 'Poet', temperature: 1, tools: ['Pen', 'INK'], extra: 'More', nested: { a: 'hidden' } },
      },
      type,
    )
    expect(minion.searchableText).toBe('ärger über one two more poet pen ink')
  })

  it('does not depend on the order in which fields are given, known to the type or not', () => {
    const orders = [
      { zeta: 'z', alpha: 'a', unknown: 'u' },
      { unknown: 'u', alpha: 'a', zeta: 'z' },
    ]
    const known = {
      ...type,
      schema: [
        { name: 'zeta', type: 'string' },
        { name: 'alpha', type: 'string' },
      ],
    } as const
    for (const schema of [type, known]) {
      const [first, second] = orders.map((fields) => createMinion({ title: 'T', fields }, schema).minion.searchableText)
      expect(first).toBe('t a u z')
      expect(second).toBe(first)
    }
  })

  it('is recomputed on every write', () => {
    const stale = { ...createMinion({ title: 'Ada' }, type).minion, searchableText: 'stale' }
    expect(updateMinion(stale, { title: 'Bob' }, type).minion.searchableText).toBe('bob')
    const deleted = softDelete(stale)
    expect(deleted.searchableText).toBe('ada')
    expect(restoreMinion({ ...deleted, searchableText: 'stale' }).searchableText).toBe('ada')
    expect(migrateMinion(stale, [], [{ name: 'x', type: 'string', defaultValue: 'New' }]).searchableText).toBe(
      'ada new',
    )
  })

  // The first and the last of the second halves there are, and one in between.
  it.each(['\u{10000}', '😀', '\u{103ff}'])('never cuts a character in two: %s', (character) => {
    const fields = { content: `a${character.repeat(200_000)}` }
    expect(searchableText({ title: 'N', fields }).isWellFormed()).toBe(true)
    expect(searchableText({ title: 'NN', fields }).isWellFormed()).toBe(true)
  })
})
