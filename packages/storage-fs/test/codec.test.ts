import type { JsonObject } from '@minions/core/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecs } from '../src/codec/codec.js'

const awkward = [
  '',
  ' ',
  '1',
  '1.0',
  '0x1f',
  '0o7',
  '1e3',
  '.5',
  '-',
  '~',
  'null',
  'Null',
  'true',
  'yes',
  'no',
  'on',
  'y',
  'n',
  'a,b',
  '{}',
  '[]',
  '[a]',
  '{a: b}',
  '2024-01-15',
  '2024-01-15T10:00:00Z',
  '12:30:45',
  '# not a comment',
  'a # b',
  'a: b',
  ': a',
  '- a',
  '? a',
  '&anchor',
  '*alias',
  '!tag',
  '!!binary aGk=',
  '|',
  '>',
  '%directive',
  '@at',
  '`tick',
  '---',
  '...',
  '---\na: 1',
  "it's",
  '"quoted"',
  "'single'",
  '\\',
  '\t',
  '\ttabbed',
  'a\tb',
  'line\n',
  '\nline',
  'two\nlines',
  'two\n\n\nlines\n\n',
  '  indented\n    more\n',
  'trailing space \nnext',
  ' \n ',
  '\n',
  '\n\n',
  'a\r\nb',
  'a\rb',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u0001',
  '\u001f',
  '\u007f',
  '\u00a0',
  'ü',
  '😀',
  '<<',
  '=',
  '.nan',
  '.inf',
  '-.inf',
  '0',
  '-0',
  '007',
  '1_000',
  '+1',
  'x'.repeat(300),
  `${'word '.repeat(60)}end`,
  `${'x'.repeat(200)}\n  y\n`,
  '__proto__',
]

describe.each(['json', 'yaml'] as const)('%s', (format) => {
  const codec = codecs[format]
  const roundTrip = (record: JsonObject): void => {
    expect(codec.decode(codec.encode(record))).toStrictEqual(record)
  }

  it('brings awkward texts back exactly, as values, in lists, nested and as keys', () => {
    for (const text of awkward) {
      roundTrip({ a: text })
      roundTrip({ a: { b: [text, [text], { c: text }] } })
      if (text !== '__proto__') roundTrip({ [text]: text, z: { [text]: [text] } })
    }
  })

  it('brings values of every type back exactly', () => {
    roundTrip({ a: {}, b: [], c: [{}], d: [[]], e: null, f: [null], g: true, h: false, i: '' })
    roundTrip({ n: [0, 1, -1, 1.5, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 12345678901234567000, 0.1] })
    const shared = { x: 1 }
    roundTrip({ a: shared, b: shared })
    roundTrip({})
  })

  it('keeps keys that mean something to JavaScript', () => {
    const record = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":[]}')
    const back = codec.decode(codec.encode(record)) as object
    expect(Object.keys(back)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(JSON.stringify(back)).toBe(JSON.stringify(record))
  })

  it('brings random JSON back exactly', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...awkward),
      fc.string({ unit: fc.constantFrom('a', ' ', '\n', ':', '#', '-', '"', "'", '\t', '\r') }),
    )
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          tie('tree'),
          { maxKeys: 3, noNullPrototype: true },
        ),
      ),
    }))
    fc.assert(
      fc.property(
        fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          tree,
          { maxKeys: 4, noNullPrototype: true },
        ),
        (record) => roundTrip(record as JsonObject),
      ),
      { numRuns: 1000, seed: 2 },
    )
  })

  it('writes the same text whatever the order of keys, ending in a newline', () => {
    const text = codec.encode({ b: 1, a: { d: [1], c: 2 } })
    expect(codec.encode({ a: { c: 2, d: [1] }, b: 1 })).toBe(text)
    expect(text).toMatch(/[^\n]\n$/)
    expect(text.indexOf('a')).toBeLessThan(text.indexOf('b'))
  })
})

it('keeps dates texts and refuses what is not one YAML document', () => {
  const { yaml } = codecs
  expect(yaml.decode('on: 2024-01-15\nat: 2024-01-15T10:00:00Z\n')).toEqual({
    on: '2024-01-15',
    at: '2024-01-15T10:00:00Z',
  })
  for (const text of [
    'a: [',
    'a: 1\na: 2\n',
    'a: 1\n---\nb: 2\n',
    '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n',
    'a: !foo b\n',
  ]) {
    expect(() => yaml.decode(text), text).toThrow()
  }
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'].map((pair) => [...pair]))
    bomb.push(`${to}: &${to} [${`*${from},`.repeat(9)}]`)
  expect(() => yaml.decode(bomb.join('\n'))).toThrow()
})
