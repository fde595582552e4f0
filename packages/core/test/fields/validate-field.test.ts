import { describe, expect, it } from 'vitest'
import { FIELD_TYPES, type FieldDefinition, type FieldType, validateField } from '../../src/index.js'
import { VALIDATION_CODES } from '../../src/schemas/index.js'

function codes(value: unknown, field: Partial<FieldDefinition> & { type: FieldType }): string[] {
  return validateField(value, { name: 'field', ...field }).map((error) => error.code)
}

const options = ['red', 'green']
const deep = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { value }
  return value
}
const circle: Record<string, unknown> = {}
circle.self = circle

interface Samples {
  readonly good: readonly unknown[]
  readonly bad: readonly (readonly [value: unknown, code: keyof typeof VALIDATION_CODES])[]
}

const texts: Samples = {
  good: ['a', ' ', 'é😀', '\u0001\n', '0'],
  bad: [
    [5, 'type'],
    [true, 'type'],
    [['a'], 'type'],
    [{}, 'type'],
    [Object('a'), 'type'],
    [Symbol('a'), 'type'],
    ['a\0', 'characters'],
    ['\ud83d', 'characters'],
    ['\ude00\ud83d', 'characters'],
  ],
}

const SAMPLES: Record<FieldType, Samples> = {
  string: texts,
  textarea: texts,
  number: {
    good: [0, -0, 1.5, -7, Number.MAX_VALUE, Number.MIN_VALUE],
    bad: [
      [Number.NaN, 'type'],
      [Number.POSITIVE_INFINITY, 'type'],
      [Number.NEGATIVE_INFINITY, 'type'],
      ['5', 'type'],
      [5n, 'type'],
      [Object(5), 'type'],
    ],
  },
  boolean: {
    good: [true, false],
    bad: [
      ['true', 'type'],
      [0, 'type'],
      [Object(true), 'type'],
    ],
  },
  date: {
    good: [
      '2024-01-15',
      '2024-01-15T10:30:00Z',
      '2024-02-29',
      '2000-02-29',
      '0000-02-29',
      '9999-12-31T23:59:59.999999999+23:59',
      '2024-01-15t10:30:00.5z',
      '2024-01-15T10:30:00-00:00',
    ],
    bad: [
      ['2024-02-30', 'format'],
      ['2023-02-29', 'format'],
      ['1900-02-29', 'format'],
      ['2024-04-31', 'format'],
      ['2024-00-10', 'format'],
      ['2024-13-01', 'format'],
      ['2024-01-00', 'format'],
      ['2024-01-15T10:30:00', 'format'],
      ['2024-01-15T10:30Z', 'format'],
      ['2024-01-15T24:00:00Z', 'format'],
      ['2024-01-15T10:60:00Z', 'format'],
      ['2024-01-15T10:30:60Z', 'format'],
      ['2016-12-31T23:59:60Z', 'format'],
      ['1998-12-31T15:59:60.5-08:00', 'format'],
      ['2015-07-01T08:59:60+09:00', 'format'],
      ['2016-12-31T23:59:61Z', 'format'],
      ['2024-01-15T10:30:00.1234567890Z', 'format'],
      ['2024-01-15 10:30:00Z', 'format'],
      ['2024-01-15T10:30:00+24:00', 'format'],
      ['2024-01-15T10:30:00+0100', 'format'],
      ['2024-01-15T10:30:00.Z', 'format'],
      ['2024-1-5', 'format'],
      ['20240115', 'format'],
      [' 2024-01-15', 'format'],
      ['2024-01-15\n', 'format'],
      ['٢٠٢٤-٠١-١٥', 'format'],
      ['+002024-01-15', 'format'],
      ['January 15, 2024', 'format'],
      [1705276800000, 'type'],
      [new Date(0), 'type'],
    ],
  },
  select: {
    good: ['red', 'green'],
    bad: [
      ['blue', 'option'],
      ['Red', 'option'],
      [['red'], 'type'],
      [1, 'type'],
    ],
  },
  'multi-select': {
    good: [[], ['red'], ['green', 'red'], ['red', 'red']],
    bad: [
      ['red', 'type'],
      [['red', 'blue'], 'option'],
      [[['red']], 'option'],
      [[null], 'option'],
      [[''], 'option'],
      [{ 0: 'red', length: 1 }, 'type'],
    ],
  },
  url: {
    good: [
      'http://example.com',
      'https://example.com:8080/a/b?c=d#e',
      'https://user:pass@example.com/',
      'http://localhost',
      'http://127.0.0.1:3000/x',
      'http://[::1]/',
      'https://xn--mnchen-3ya.de/%C3%A4',
      'https://example.com?q=%20',
    ],
    bad: [
      ['example.com', 'format'],
      ['ftp://example.com', 'format'],
      ['HTTP://example.com', 'format'],
      [' http://example.com', 'format'],
      ['http://', 'format'],
      ['https:///path', 'format'],
      ['http://?q', 'format'],
      ['http://a b.com', 'format'],
      ['http://example.com/a b', 'format'],
      ['http://example.com\\a', 'format'],
      ['http://exa\nmple.com', 'format'],
      ['http://example.com:70000', 'format'],
      ['http://256.256.256.256', 'format'],
      ['http://[::1', 'format'],
      ['http://%zz/', 'format'],
      ['http://@/', 'format'],
      ['javascript:alert(1)//http://x', 'format'],
      [5, 'type'],
      [new URL('http://example.com'), 'type'],
    ],
  },
  email: {
    good: ['a@b.co', 'first.last+tag@sub.example-host.org', "o'neil@example.com", 'A_B-c@x.y'],
    bad: [
      ['plain', 'format'],
      ['a@b', 'format'],
      ['@b.co', 'format'],
      ['a@.co', 'format'],
      ['a@b..co', 'format'],
      ['.a@b.co', 'format'],
      ['a.@b.co', 'format'],
      ['a..b@c.de', 'format'],
      ['a@-b.co', 'format'],
      ['a@b-.co', 'format'],
      ['a b@c.de', 'format'],
      ['a@b@c.de', 'format'],
      ['a@b.co\n', 'format'],
      ['a@b.c\0', 'format'],
      [5, 'type'],
    ],
  },
  tags: {
    good: [[], ['a'], ['', 'a', 'a']],
    bad: [
      ['a', 'type'],
      [['a', 5], 'type'],
      [[null], 'type'],
      [[undefined], 'type'],
      [['a\0'], 'characters'],
      [['\ud800'], 'characters'],
      [new Set(['a']), 'type'],
    ],
  },
  json: {
    good: [0, false, 'text', [], {}, [null, ['']], { a: { b: null, c: '' } }, deep(64), Object.create(null)],
    bad: [
      [Number.NaN, 'json'],
      [{ a: [Number.POSITIVE_INFINITY] }, 'json'],
      [() => 1, 'json'],
      [{ f() {} }, 'json'],
      [1n, 'json'],
      [Symbol('a'), 'json'],
      [[undefined], 'json'],
      [new Date(0), 'json'],
      [{ when: new Date(0) }, 'json'],
      [new Map(), 'json'],
      [/a/, 'json'],
      [circle, 'json'],
      ['\0', 'json'],
      [{ 'a\0': 1 }, 'json'],
      [['\udc00'], 'json'],
      [deep(65), 'json'],
      [deep(1_000_00), 'json'],
    ],
  },
  array: {
    good: [[], [1, 'a', null, { b: [] }]],
    bad: [
      [{}, 'type'],
      ['[]', 'type'],
      [{ length: 0 }, 'type'],
      [new Uint8Array(2), 'type'],
      [[Number.NaN], 'json'],
      [new Array(1), 'json'],
      [[circle], 'json'],
      [['\0'], 'json'],
    ],
  },
}

describe('conformance 2: all 12 field types are supported with proper validation', () => {
  it('there are 12', () => {
    expect(FIELD_TYPES).toHaveLength(12)
    expect(Object.keys(SAMPLES).sort()).toEqual([...FIELD_TYPES].sort())
  })

  for (const type of FIELD_TYPES) {
    const field = { type, options }
    it(`${type} accepts what it should`, () => {
      for (const value of SAMPLES[type].good) expect([value, codes(value, field)]).toEqual([value, []])
    })

    it(`${type} refuses the rest with a code, a message and the value`, () => {
      for (const [value, code] of SAMPLES[type].bad) {
        const errors = validateField(value, { name: 'colour', ...field })
        expect(errors.map((error) => error.code)).toEqual([code])
        expect(errors[0]?.field).toBe('colour')
        expect(errors[0]?.message).toMatch(/^Field "colour" .+\.$/s)
        expect(Object.is(errors[0]?.value, value)).toBe(true)
      }
    })

    it(`${type} may be absent unless it is required`, () => {
      for (const value of [undefined, null, '']) {
        expect(codes(value, field)).toEqual([])
        expect(codes(value, { ...field, required: true })).toEqual(['required'])
      }
    })
  }

  it('false, 0 and empty lists are values, so they satisfy `required`', () => {
    expect(codes(false, { type: 'boolean', required: true })).toEqual([])
    expect(codes(0, { type: 'number', required: true })).toEqual([])
    expect(codes([], { type: 'tags', required: true })).toEqual([])
  })

  it('select and multi-select without options accept nothing', () => {
    for (const missing of [{}, { options: [] }]) {
      expect(codes('red', { type: 'select', ...missing })).toEqual(['option'])
      expect(codes(['red'], { type: 'multi-select', ...missing })).toEqual(['option'])
      expect(codes([], { type: 'multi-select', ...missing })).toEqual(['option'])
    }
  })
})

describe('validation limits', () => {
  it('are all reported together', () => {
    const validation = { minLength: 5, maxLength: 1, pattern: '^x' }
    expect(codes('abc', { type: 'string', validation })).toEqual(['minLength', 'maxLength', 'pattern'])
    expect(codes('\0', { type: 'textarea', validation })).toEqual(['characters', 'minLength', 'pattern'])
    expect(codes('nowhere', { type: 'url', validation: { maxLength: 3 } })).toEqual(['format', 'maxLength'])
    expect(codes(5, { type: 'number', validation: { min: 6, max: 4 } })).toEqual(['min', 'max'])
    expect(codes('5', { type: 'number', validation: { min: 6 } })).toEqual(['type'])
  })

  it('include their bounds', () => {
    expect(codes(2, { type: 'number', validation: { min: 2, max: 2 } })).toEqual([])
    expect(codes('ab', { type: 'string', validation: { minLength: 2, maxLength: 2 } })).toEqual([])
    expect(codes('a', { type: 'string', validation: { minLength: 2 } })).toEqual(['minLength'])
    expect(codes('abc', { type: 'string', validation: { maxLength: 2 } })).toEqual(['maxLength'])
  })

  it('count code points', () => {
    expect(codes('😀😀', { type: 'string', validation: { minLength: 2, maxLength: 2 } })).toEqual([])
    expect(codes('😀😀😀', { type: 'string', validation: { maxLength: 2 } })).toEqual(['maxLength'])
    expect(codes('😀', { type: 'string', validation: { minLength: 2 } })).toEqual(['minLength'])
  })

  it('a pattern matches anywhere unless it is anchored', () => {
    expect(codes('xay', { type: 'string', validation: { pattern: 'a' } })).toEqual([])
    expect(codes('xay', { type: 'string', validation: { pattern: '^a' } })).toEqual(['pattern'])
  })

  it('an unusable pattern is an error of every value and never a throw', () => {
    for (const pattern of ['(', '(?=a)', '(a)\\1', 'a{5000}', 'a'.repeat(5000), 7 as never]) {
      expect(codes('a', { type: 'string', validation: { pattern } })).toEqual(['invalid_pattern'])
      expect(codes('', { type: 'string', validation: { pattern } })).toEqual([])
    }
  })
})

describe('definitions nobody checked', () => {
  it('an unknown type is reported', () => {
    for (const type of ['text', 'toString', '__proto__', undefined]) {
      expect(codes('a', { type: type as never })).toEqual(['unknown_type'])
    }
  })

  it('limits that are no numbers are ignored', () => {
    const validation = { minLength: 'x', maxLength: null, min: Number.NaN } as never
    expect(codes('abc', { type: 'string', validation })).toEqual([])
    expect(codes('abc', { type: 'string', validation: null as never })).toEqual([])
  })

  it('options that are no list are none', () => {
    expect(codes('a', { type: 'select', options: 'abc' as never })).toEqual(['option'])
  })
})

// What is not linear here takes minutes, and more than a test may take.
describe('long and hostile values are answered quickly', () => {
  const long = 'a'.repeat(10_000_000)

  it('10 MB strings, for every type', () => {
    for (const type of FIELD_TYPES) validateField(long, { name: 'field', type, options })
    validateField(`http://${long}`, { name: 'field', type: 'url' })
    validateField(`${'a.'.repeat(5_000_000)}@b.co`, { name: 'field', type: 'email' })
    expect(codes(long, { type: 'string', validation: { minLength: 6_000_000, maxLength: 9_000_000 } })).toEqual([
      'maxLength',
    ])
    expect(codes(long, { type: 'string', validation: { pattern: '^a+$' } })).toEqual([])
  })

  it('a pattern that backtracks exponentially, in a definition nobody registered', () => {
    const validation = { pattern: '^(a+)+$' }
    expect(codes(`${'a'.repeat(50)}!`, { type: 'string', validation })).toEqual(['pattern'])
    expect(codes(`${long}!`, { type: 'string', validation })).toEqual(['pattern'])
  })

  it('says that a text is too long for a large pattern', () => {
    const field: FieldDefinition = { name: 'field', type: 'string', validation: { pattern: 'a[ab]{900}c' } }
    expect(validateField(long, field)[0]?.message).toMatch(/at most \d+ characters to be matched/)
  })

  it('values that throw when they are read', () => {
    const trap = {
      get a() {
        throw new Error('trap')
      },
    }
    expect(codes(trap, { type: 'json' })).toEqual(['json'])
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    for (const type of FIELD_TYPES) expect(codes(proxy, { type, options })).toHaveLength(1)
  })
})

it('every code is explained', () => {
  for (const { bad } of Object.values(SAMPLES)) {
    for (const [, code] of bad) expect(VALIDATION_CODES[code]).toMatch(/\.$/)
  }
})
