import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { generateId, isId } from '../../src/index.js'
import { IdSchema } from '../../src/schemas/index.js'

fc.configureGlobal({ seed: 8785 })

describe('isId', () => {
  it.each([
    'a',
    '0',
    'builtin-agent',
    'agent-001',
    'minions-prompts/prompt-template',
    'urn:uuid:x',
    'a.b_c',
    'toString',
    'constructor',
    'x'.repeat(128),
  ])('accepts %s', (id) => {
    expect(isId(id)).toBe(true)
  })

  it.each([
    '',
    'x'.repeat(129),
    '-a',
    '_a',
    '.a',
    '/a',
    ':a',
    'a..b',
    'a/../b',
    'a..',
    'a b',
    'a\n',
    '\na',
    'ä',
    'a@b',
    'a%2e',
    '__proto__',
    null,
    undefined,
    1,
    ['a'],
    { toString: () => 'a' },
  ])('refuses %j', (id) => {
    expect(isId(id)).toBe(false)
  })

  it('says the same as the rule in words', () => {
    const published = Compile(IdSchema)
    const characters = fc.string({
      unit: fc.constantFrom(...'aZ09._/:-', ' ', '\n', 'ä', '%', '\\'),
      maxLength: 130,
    })
    fc.assert(
      fc.property(characters, (text) => {
        const letters = [...text]
        const expected =
          text.length >= 1 &&
          text.length <= 128 &&
          letters.every((letter) => 'aZ09._/:-'.includes(letter)) &&
          'aZ09'.includes(letters[0] as string) &&
          !text.includes('..')
        expect(isId(text)).toBe(expected)
        expect(published.Check(text)).toBe(expected)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('generateId', () => {
  it('makes UUIDs of version 4, each another', () => {
    const ids = Array.from({ length: 1000 }, generateId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(1000)
    expect(ids.every(isId)).toBe(true)
  })
})
