import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodePoints } from '../../src/json/compare.js'
import { encodeKey, isKeyPart, type KeyPart, MAX_KEY_BYTES } from '../../src/storage/key.js'

const storable = (text: string) => text.isWellFormed() && !text.includes('\0')
const text = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('\x01', '\x01\x01', '\x01\x02', 'a\x01', 'a', '\uFFFD', '\u{1F600}'),
  )
  .filter((value) => value !== '' && storable(value))
const number = fc.oneof(fc.maxSafeNat(), fc.nat(20))

function compareParts(a: readonly KeyPart[], b: readonly KeyPart[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index] as KeyPart
    const difference = typeof part === 'number' ? part - (other as number) : compareCodePoints(part, other as string)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}

describe('encodeKey', () => {
  it('leaves a key of one string as it is', () => {
    fc.assert(
      fc.property(text, (key) => {
        expect(encodeKey([key], 'x')).toBe(key)
      }),
      { seed: 1 },
    )
  })

  it('keeps the order of several parts, and never makes two keys one', () => {
    for (const part of [fc.tuple(text, text), fc.tuple(text, number), fc.tuple(text, text, number)]) {
      const property = fc.property(part, part, (a, b) => {
        const difference = compareCodePoints(encodeKey(a, 'x'), encodeKey(b, 'x'))
        expect(Math.sign(difference)).toBe(compareParts(a, b))
      })
      fc.assert(property, { numRuns: 1000, seed: 1 })
    }
  })

  it('refuses what cannot be a key', () => {
    const refused: KeyPart[][] = [
      [],
      [''],
      ['a', ''],
      [5],
      ['a\0'],
      ['\ud800'],
      ['x'.repeat(MAX_KEY_BYTES + 1)],
      ['é'.repeat(600)],
    ]
    for (const parts of refused) {
      expect(() => encodeKey(parts, 'x')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
    expect(encodeKey(['é'.repeat(MAX_KEY_BYTES / 2)], 'x')).toHaveLength(MAX_KEY_BYTES / 2)
  })

  it('knows what can be part of a key', () => {
    expect(['a', 0, 5, Number.MAX_SAFE_INTEGER].every(isKeyPart)).toBe(true)
    expect([-1, 1.5, 2 ** 53, Number.NaN, true, null, undefined, {}].some(isKeyPart)).toBe(false)
  })
})
