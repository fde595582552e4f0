import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it, vi } from 'vitest'
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

/** A UUID of version 4 as RFC 9562 describes it. */
function inModel(bytes: readonly number[]): string {
  const marked = bytes.map((byte, index) =>
    index === 6 ? 0x40 + (byte % 16) : index === 8 ? 0x80 + (byte % 64) : byte,
  )
  const hex = marked.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

describe('generateId', () => {
  it('writes the random bytes of the platform, each once, with the bits of version 4', () => {
    const bytes: number[] = []
    const fill = crypto.getRandomValues.bind(crypto)
    const filling = vi.spyOn(crypto, 'getRandomValues').mockImplementation((into) => {
      const filled = fill(into)
      if (filled instanceof Uint8Array) bytes.push(...filled)
      return filled
    })
    try {
      const ids: string[] = []
      for (let burnt = 0; burnt < 1000 && bytes.length === 0; burnt++) ids.splice(0, 1, generateId())
      while (bytes.length > ids.length * 16) ids.push(generateId())
      const expected = ids.map((_, index) => inModel(bytes.slice(index * 16, (index + 1) * 16)))
      expect(ids).toEqual(expected)
      generateId()
      expect(filling).toHaveBeenCalledTimes(2)
    } finally {
      filling.mockRestore()
    }
  })

  it('makes UUIDs of version 4, each another', () => {
    const ids = Array.from({ length: 1000 }, generateId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(1000)
    expect(ids.every(isId)).toBe(true)
  })
})
