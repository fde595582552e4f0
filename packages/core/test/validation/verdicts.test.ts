// biome-ignore-all lint/suspicious/noThenProperty: the keyword of JSON Schema; nothing awaits these schemas
import { describe, expect, it } from 'vitest'
import { compileSchema, schemaIssues } from '../../src/schemas/index.js'

const draft07 = 'http://json-schema.org/draft-07/schema#'
const foo = { properties: { foo: { const: 'a' } }, required: ['foo'] }

/** A schema, values that are valid and values that are not. */
const cases: [string, object, unknown[], unknown[]][] = [
  [
    'unevaluatedProperties and if alone',
    { if: foo, unevaluatedProperties: false },
    [{ foo: 'a' }, {}],
    [{ foo: 'b' }, { foo: 'a', bar: 1 }],
  ],
  [
    'unevaluatedProperties and if with then',
    { if: foo, then: { properties: { bar: true } }, unevaluatedProperties: false },
    [{ foo: 'a' }, { foo: 'a', bar: 1 }, {}],
    [{ foo: 'b' }, { bar: 1 }, { foo: 'a', bar: 1, baz: 1 }],
  ],
  [
    'unevaluatedProperties and if with else',
    { if: foo, else: { properties: { baz: true } }, unevaluatedProperties: false },
    [{ foo: 'a' }, { baz: 1 }],
    [{ foo: 'b' }, { foo: 'b', baz: 1 }, { foo: 'a', baz: 1 }],
  ],
  [
    'unevaluatedProperties and if, then and else',
    {
      if: foo,
      then: { required: ['bar'], properties: { bar: true } },
      else: { properties: { baz: true } },
      unevaluatedProperties: false,
    },
    [{ foo: 'a', bar: 1 }, { baz: 1 }, {}],
    [{ foo: 'a' }, { foo: 'b', baz: 1 }, { bar: 1 }],
  ],
  [
    'unevaluatedProperties and if behind a reference',
    { $ref: '#/$defs/a', unevaluatedProperties: false, $defs: { a: { if: foo } } },
    [{ foo: 'a' }, {}],
    [{ foo: 'b' }],
  ],
  [
    'unevaluatedProperties as a schema',
    { anyOf: [foo, true], unevaluatedProperties: { type: 'number' } },
    [{ foo: 'a', x: 1 }, { foo: 1 }],
    [{ foo: 'b' }, { foo: 'a', x: '' }],
  ],
  ['unevaluatedProperties and not', { not: { not: foo }, unevaluatedProperties: false }, [], [{ foo: 'a' }]],
  [
    'unevaluatedItems and prefixItems',
    { prefixItems: [true], anyOf: [{ prefixItems: [true, { const: 1 }] }, true], unevaluatedItems: false },
    [[], [5], [5, 1]],
    [
      [5, 2],
      [5, 1, 1],
    ],
  ],
  ['unevaluatedItems and items', { items: { type: 'number' }, unevaluatedItems: false }, [[1, 2]], [['a']]],
  [
    'unevaluatedItems and contains',
    { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: { const: 1 } },
    [['a'], [5, 'a', 1, 'b']],
    [[5], [5, 'a', 2]],
  ],
  [
    'unevaluatedItems and contains in a branch and behind a reference',
    {
      if: { contains: { const: 'a' } },
      then: { if: { contains: { const: 'b' } }, then: { $ref: '#/$defs/c' } },
      unevaluatedItems: false,
      $defs: { c: { if: { contains: { const: 'c' } } } },
    },
    [[], ['a'], ['a', 'b'], ['b', 'a', 'c', 'a']],
    [['b'], ['c'], ['b', 'c'], ['a', 'c'], ['a', 'x']],
  ],
  [
    'unevaluatedItems and items in a branch',
    { anyOf: [{ items: { type: 'string' } }, true], unevaluatedItems: { type: 'boolean' } },
    [[], [true, false], ['a', 'b']],
    [
      ['a', 1],
      ['a', true],
    ],
  ],
  [
    'unevaluatedItems beside older tuples',
    { items: [{ type: 'number' }], contains: { const: 'a' }, unevaluatedItems: { const: 'b' } },
    [
      [1, 'a'],
      [1, 'a', 'b'],
    ],
    [
      [1, 'b'],
      [1, 'a', 'c'],
    ],
  ],
  ['unevaluatedItems: true beside contains', { contains: { const: 1 }, unevaluatedItems: true }, [[1, 2]], [[2]]],
  ['multipleOf of decimal fractions', { multipleOf: 0.01 }, [19.99, 0.07, 1.1, 0, -4.35, 'x'], [0.001, 19.999]],
  ['multipleOf of large numbers', { multipleOf: 3 }, [3e21, 9007199254740990], [1e21, 1]],
  ['multipleOf where a quotient overflows', { multipleOf: 0.5 }, [1e308], []],
  ['multipleOf of a tiny number', { multipleOf: 1e-8 }, [12391239123, 1.5e-7], [1.5e-9]],
  [
    'a keyword of OpenAPI that is an annotation here',
    { type: 'string', nullable: false, id: 'x', discriminator: {} },
    ['a'],
    [null],
  ],
  [
    'draft-07 and the keywords of later drafts',
    { $schema: draft07, dependentRequired: { a: ['b'] }, unevaluatedProperties: false, minContains: 2, contains: true },
    [{ a: 1 }, [1]],
    [],
  ],
]

const branches = {
  anyOf: [{ properties: { next: { $ref: '#' } } }, { properties: { other: { $ref: '#' } } }],
  unevaluatedProperties: false,
}

describe('verdicts', () => {
  it.each(cases)('%s', (_, schema, valid, invalid) => {
    const { issues } = compileSchema(schema)
    for (const value of valid) expect(issues(value), JSON.stringify(value)).toEqual([])
    for (const value of invalid) expect(issues(value), JSON.stringify(value)).not.toEqual([])
  })
})

it('names what is not evaluated', () => {
  const { issues } = compileSchema({
    properties: { a: { prefixItems: [true], unevaluatedItems: false } },
    unevaluatedProperties: { type: 'number' },
  })
  expect(issues({ a: [1, 2], 'b/c': 'x' })).toMatchObject([
    { pointer: '/a/1', code: 'unevaluatedItems', message: 'is not a known item' },
    { pointer: '/b~1c', code: 'type' },
  ])
})

it('does not take twice as long for every level of a value', () => {
  const { issues } = compileSchema(branches)
  let value: object = { wrong: 1 }
  for (let level = 0; level < 60; level++) value = { [level % 2 ? 'next' : 'other']: value }
  expect(issues(value)).not.toEqual([])
  expect(issues({ next: { other: { next: {} } } })).toEqual([])
})

it('does not take twice as long for every level of a schema', () => {
  let schema: object = { properties: { a: true } }
  for (let level = 0; level < 14; level++) schema = { anyOf: [schema], unevaluatedProperties: false }
  const { issues } = compileSchema(schema)
  expect(issues({ a: 1 })).toEqual([])
  expect(issues({ b: 1 })).not.toEqual([])
})

it('gives up on a value that takes too many steps', () => {
  const next = { properties: { next: { $ref: '#' } } }
  const { check, issues } = compileSchema({ anyOf: [next, next], not: { required: ['end'] } })
  let value: object = { end: true }
  for (let level = 0; level < 60; level++) value = { next: value }
  expect(check(value)).toBe(false)
  expect(issues(value)).toMatchObject([{ code: 'depth' }])
})

it('refuses a null that only OpenAPI allows', () => {
  expect(schemaIssues({ properties: { a: { type: 'string', nullable: true } } })).toMatchObject([
    { code: 'KEYWORD', pointer: '/properties/a/nullable' },
  ])
})
