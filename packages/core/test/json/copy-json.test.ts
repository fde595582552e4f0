import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMinionsError } from '../../src/index.js'
import {
  canonicalJson,
  copyJson,
  frozenJson,
  type JsonValue,
  jsonProblem,
  MAX_RECORD_BYTES,
  pointerTo,
} from '../../src/json/index.js'

fc.configureGlobal({ seed: 8785 })

describe('copyJson', () => {
  it('copies JSON in canonical order and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const before = JSON.stringify(value)
        fc.pre(!before.includes('\\u0000'))
        const copy = copyJson(value)
        expect(JSON.stringify(copy)).toBe(canonicalJson(value as JsonValue))
        expect(shares(value, copy)).toBe(false)
      }),
    )
  })

  it.each([1, 3, 12, 31, 32, 33, 34, 200])('orders %i names as a plain sort does', (size) => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '\ufffd', '😀', '_'), minLength: 1 })
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: Math.min(size, 40), maxLength: size }), (names) => {
        const object = Object.fromEntries(names.map((each, index) => [each, index]))
        expect(Object.keys(copyJson(object))).toEqual([...names].sort())
      }),
      { numRuns: 50 },
    )
  })

  it('leaves out undefined properties and turns -0 into 0', () => {
    expect(copyJson({ a: undefined, b: -0 })).toStrictEqual({ b: 0 })
    expect(Object.is(copyJson(-0), 0)).toBe(true)
  })

  it('copies __proto__, constructor and toString as ordinary keys', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":2}')
    const copy = copyJson(hostile)
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('copies objects without a prototype and only own properties', () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    expect(copyJson(bare)).toStrictEqual({ a: 1 })
  })

  it('names what cannot be stored', () => {
    expect(() => copyJson({ a: [Number.NaN] }, 'The minion')).toThrow(
      'The minion cannot be stored: /a/0 is NaN, which JSON cannot represent.',
    )
    try {
      copyJson({ 'a/b~c': new Date(0) })
      expect.unreachable()
    } catch (error) {
      expect(isMinionsError(error, 'VALIDATION_FAILED')).toBe(true)
      expect(error).toMatchObject({ details: { pointer: '/a~1b~0c', errors: [{ pointer: '/a~1b~0c' }] } })
    }
  })
})

describe('frozenJson', () => {
  it('copies as copyJson does, and freezes everything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('\\u0000'))
        const copy = frozenJson(value)
        expect(copy).toStrictEqual(copyJson(value))
        expect(JSON.stringify(copy)).toBe(JSON.stringify(copyJson(value)))
        expect(isFrozen(copy)).toBe(true)
      }),
    )
  })

  it('names what cannot be stored', () => {
    expect(() => frozenJson({ a: [Number.NaN] }, 'The message')).toThrow(/^The message cannot be stored: \/a\/0 is NaN/)
  })
})

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isFrozen)
}

describe('jsonProblem', () => {
  const circle: Record<string, unknown> = {}
  circle.self = { circle }
  const laughs = Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner], 'ha')

  it.each<[string, unknown, string]>([
    ['NaN', { a: Number.NaN }, '/a'],
    ['infinity', [0, Number.POSITIVE_INFINITY], '/1'],
    ['a function', { a: { b: () => 1 } }, '/a/b'],
    ['a symbol', Symbol('x'), ''],
    ['a bigint', { n: 1n }, '/n'],
    ['undefined in an array', [undefined], '/0'],
    ['a hole in an array', new Array(3), '/0'],
    ['undefined itself', undefined, ''],
    ['a date', { at: new Date(0) }, '/at'],
    ['a map', new Map(), ''],
    ['a class object', new (class Thing {})(), ''],
    ['U+0000 in a string', { a: 'x\0' }, '/a'],
    ['U+0000 in a key', { 'x\0': 1 }, '/x\0'],
    ['a lone high surrogate', ['\ud83d'], '/0'],
    ['a lone low surrogate', ['a\ude00b'], '/0'],
    ['surrogates in the wrong order', { a: '\ude00\ud83d' }, '/a'],
    ['a lone surrogate in a key', { '\ud83d': 1 }, '/\ud83d'],
  ])('refuses %s', (_, value, pointer) => {
    expect(jsonProblem(value)?.pointer).toBe(pointer)
  })

  it('refuses circles and expansions without end', () => {
    expect(jsonProblem(circle)?.message).toContain('a cycle')
    expect(jsonProblem(laughs)?.message).toContain('larger than')
  })

  it('accepts 64 levels and refuses 65', () => {
    expect(jsonProblem(nested(64))).toBeUndefined()
    const problem = jsonProblem(nested(65))
    expect(problem?.pointer).toBe('/0'.repeat(64))
    expect(jsonProblem(nested(100_000))?.message).toContain('64 levels')
  })

  it.each<[string, (bytes: number) => unknown]>([
    ['ASCII', (bytes) => 'x'.repeat(bytes - 2)],
    ['two bytes a character', (bytes) => 'ö'.repeat((bytes - 2) / 2)],
    ['three bytes a character', (bytes) => `${'€'.repeat(Math.floor((bytes - 2) / 3))}${'x'.repeat((bytes - 2) % 3)}`],
    ['four bytes a character', (bytes) => `${'😀'.repeat(Math.floor((bytes - 2) / 4))}${'x'.repeat((bytes - 2) % 4)}`],
    ['escapes', (bytes) => '\n'.repeat((bytes - 2) / 2)],
    ['short strings that are not ASCII', (bytes) => filled(bytes, 'äöü€')],
    ['numbers', (bytes) => filled(bytes, 1.5e-7)],
    ['empty objects', (bytes) => filled(bytes, {})],
    ['objects', (bytes) => filled(bytes, { a: 1, ü: [true, null, false] })],
  ])('counts the bytes of JSON in UTF-8: %s', (_, make) => {
    const largest = make(MAX_RECORD_BYTES)
    expect(Buffer.byteLength(JSON.stringify(largest))).toBe(MAX_RECORD_BYTES)
    expect(jsonProblem(largest)).toBeUndefined()
    expect(jsonProblem(typeof largest === 'string' ? `${largest}x` : [largest])?.message).toContain('larger than')
  })

  it('agrees with JSON.stringify on what JSON can carry', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: false, withNullPrototype: true }), (value) => {
        if (jsonProblem(value) === undefined) expect(copyJson(value)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 500 },
    )
  })
})

describe('pointerTo', () => {
  it('escapes tilde before slash', () => {
    expect(pointerTo('/a', '~1/')).toBe('/a/~01~1')
    expect(pointerTo('', 3)).toBe('/3')
  })
})

function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

/** An array of a thousand copies of a value and one padding string, exactly so many bytes long as JSON. */
function filled(bytes: number, value: unknown): unknown[] {
  const values = Array<unknown>(1000).fill(value)
  const padding = bytes - Buffer.byteLength(JSON.stringify([...values, '']))
  return [...values, 'x'.repeat(padding)]
}

function shares(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null) return false
  if (a === b) return true
  return Object.keys(a).some((key) => shares((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
}
