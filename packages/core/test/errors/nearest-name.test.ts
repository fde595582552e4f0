import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/index.js'

const names = ['id', 'title', 'status', 'tags', 'priority', 'dueDate', 'createdAt', 'createdBy']

describe('nearestName', () => {
  it('finds what a misspelt name was meant to be', () => {
    expect(nearestName('titel', names)).toBe('title')
    expect(nearestName('prority', names)).toBe('priority')
    expect(nearestName('STATUS', names)).toBe('status')
    expect(nearestName('stauts', names)).toBe('status')
    expect(nearestName('due_date', names)).toBe('dueDate')
    expect(nearestName('tag', names)).toBe('tags')
    expect(nearestName('createdAtt', names)).toBe('createdAt')
  })

  it('has no guess when nothing is near', () => {
    for (const name of ['', 'x', 'nonsense', 'foo', 'constructor']) expect(nearestName(name, names)).toBeUndefined()
    expect(nearestName('title', [])).toBeUndefined()
  })

  it('prefers the fewest edits, and the first of equals', () => {
    expect(nearestName('create', ['created', 'creates', 'crate'])).toBe('created')
    expect(nearestName('rate', ['crates', 'crate'])).toBe('crate')
  })

  it('does not measure a name of any length against the others', () => {
    expect(nearestName('t'.repeat(50_000_000), names)).toBeUndefined()
  })

  it('undoes any one edit of a name that is long enough', () => {
    const name = fc.stringMatching(/^[a-z]{4,12}$/)
    const property = fc.property(name, fc.nat(), fc.constantFrom('drop', 'double', 'swap'), (word, position, edit) => {
      const index = position % (word.length - 1)
      const [left, right] = [word.slice(0, index), word.slice(index + 1)]
      const letter = word[index] as string
      const edited = {
        drop: left + right,
        double: left + letter + letter + right,
        swap: left + right[0] + letter + right.slice(1),
      }
      expect(nearestName(edited[edit], ['0123456789', word])).toBe(word)
    })
    fc.assert(property, { seed: 1 })
  })
})
