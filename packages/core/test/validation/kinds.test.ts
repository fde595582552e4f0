import { Type as Sinclair } from '@sinclair/typebox'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../src/schemas/index.js'

const draft07 = 'http://json-schema.org/draft-07/schema#'
const draft2020 = 'https://json-schema.org/draft/2020-12/schema'

const plain = {
  type: 'object',
  required: ['location'],
  properties: {
    location: { type: 'string', minLength: 1 },
    speed: { type: 'number', default: 1, minimum: 0 },
    options: {
      type: 'object',
      default: {},
      properties: { careful: { type: 'boolean', default: true } },
    },
    stops: {
      type: 'array',
      items: { type: 'object', properties: { minutes: { type: 'integer', default: 5 } } },
    },
  },
}

const typebox1 = Type.Object({
  location: Type.String({ minLength: 1 }),
  speed: Type.Optional(Type.Number({ default: 1, minimum: 0 })),
  options: Type.Optional(Type.Object({ careful: Type.Optional(Type.Boolean({ default: true })) }, { default: {} })),
  stops: Type.Optional(Type.Array(Type.Object({ minutes: Type.Optional(Type.Integer({ default: 5 })) }))),
})

const sinclair = Sinclair.Object({
  location: Sinclair.String({ minLength: 1 }),
  speed: Sinclair.Optional(Sinclair.Number({ default: 1, minimum: 0 })),
  options: Sinclair.Optional(
    Sinclair.Object({ careful: Sinclair.Optional(Sinclair.Boolean({ default: true })) }, { default: {} }),
  ),
  stops: Sinclair.Optional(
    Sinclair.Array(Sinclair.Object({ minutes: Sinclair.Optional(Sinclair.Integer({ default: 5 })) })),
  ),
})

const kinds: [string, object][] = [
  ['typebox 1.x', typebox1],
  ['@sinclair/typebox', sinclair],
  ['plain JSON Schema', plain],
  ['draft 2020-12', { $schema: draft2020, ...plain }],
  ['draft-07', { $schema: draft07, ...plain }],
]

describe.each(kinds)('a schema from %s', (_, schema) => {
  it('fills in defaults on every level without touching the input', () => {
    const { complete } = compileSchema(schema)
    const input = Object.freeze({ location: 'kitchen', stops: Object.freeze([Object.freeze({})]) })
    const completed = complete(input)
    expect(completed).toEqual({ location: 'kitchen', speed: 1, options: { careful: true }, stops: [{ minutes: 5 }] })
    expect(input).toEqual({ location: 'kitchen', stops: [{}] })
    expect(complete({ location: 'x', speed: 0 })).toMatchObject({ speed: 0 })
  })

  it('gives every value its own copy of a default', () => {
    const { complete } = compileSchema(schema)
    const first = complete({ location: 'a' }) as { options: Record<string, unknown> }
    first.options.careful = 'changed'
    expect(complete({ location: 'a' })).toMatchObject({ options: { careful: true } })
  })

  it('names every value that does not fit', () => {
    const { issues, complete } = compileSchema(schema)
    expect(issues(complete({ location: 'kitchen' }))).toEqual([])
    expect(issues({ speed: -1, stops: [{ minutes: 'x' }] })).toEqual([
      expect.objectContaining({ code: 'required', pointer: '/location' }),
      expect.objectContaining({ code: 'minimum', pointer: '/speed', expected: 0, received: -1 }),
      expect.objectContaining({ code: 'type', pointer: '/stops/0/minutes', expected: 'integer', received: 'x' }),
    ])
    expect(issues(Object.create({ location: 'inherited' }))).toMatchObject([{ pointer: '/location' }])
    expect(issues(undefined)).toMatchObject([{ pointer: '', code: 'type' }])
  })
})

describe('tuples and references', () => {
  it.each([
    ['typebox 1.x', Type.Object({ at: Type.Tuple([Type.Number(), Type.Number({ default: 2 })]) })],
    ['@sinclair/typebox', Sinclair.Object({ at: Sinclair.Tuple([Sinclair.Number(), Sinclair.Number()]) })],
    [
      'prefixItems',
      { properties: { at: { prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 } } },
    ],
    [
      'draft-07',
      {
        $schema: draft07,
        properties: { at: { items: [{ type: 'number' }, { type: 'number' }], minItems: 2, additionalItems: false } },
      },
    ],
  ])('reads the tuples of %s', (_, schema) => {
    const { issues } = compileSchema(schema)
    expect(issues({ at: [1, 2] })).toEqual([])
    expect(issues({ at: [1, 'x'] })).not.toEqual([])
    expect(issues({ at: [1] })).not.toEqual([])
  })

  it('keeps the newer keywords beside the older tuples', () => {
    const { issues } = compileSchema(Type.Object({ at: Type.Tuple([Type.Number()]) }, { unevaluatedProperties: false }))
    expect(issues({ at: [1], more: 1 })).toMatchObject([{ pointer: '/more', code: 'unevaluatedProperties' }])
  })

  it.each([
    [
      'typebox 1.x',
      Type.Cyclic(
        {
          Node: Type.Object({
            next: Type.Optional(Type.Ref('Node')),
            weight: Type.Optional(Type.Number({ default: 1 })),
          }),
        },
        'Node',
      ),
    ],
    [
      '@sinclair/typebox',
      Sinclair.Recursive((This) =>
        Sinclair.Object({ next: Sinclair.Optional(This), weight: Sinclair.Optional(Sinclair.Number({ default: 1 })) }),
      ),
    ],
    [
      '@sinclair/typebox modules',
      Sinclair.Module({
        Node: Sinclair.Object({
          next: Sinclair.Optional(Sinclair.Ref('Node')),
          weight: Sinclair.Optional(Sinclair.Number({ default: 1 })),
        }),
      }).Import('Node'),
    ],
    ['a root reference', { properties: { next: { $ref: '#' }, weight: { type: 'number', default: 1 } } }],
    [
      '$defs',
      {
        $ref: '#/$defs/a~1b',
        $defs: { 'a/b': { properties: { next: { $ref: '#/$defs/a~1b' }, weight: { type: 'number', default: 1 } } } },
      },
    ],
    [
      'definitions',
      {
        $schema: draft07,
        $ref: '#/definitions/n',
        definitions: {
          n: { properties: { next: { $ref: '#/definitions/n' }, weight: { type: 'number', default: 1 } } },
        },
      },
    ],
    [
      'an anchor',
      {
        $ref: '#node',
        $defs: {
          n: { $anchor: 'node', properties: { next: { $ref: '#node' }, weight: { type: 'number', default: 1 } } },
        },
      },
    ],
  ])('follows the recursion of %s', (_, schema) => {
    const { complete, issues } = compileSchema(schema)
    expect(complete({ next: { next: {} } })).toEqual({ weight: 1, next: { weight: 1, next: { weight: 1 } } })
    expect(issues({ next: { next: { weight: 'heavy' } } })).toMatchObject([{ pointer: '/next/next/weight' }])
  })

  it('takes defaults from allOf, patterns and additional properties, and none from a choice', () => {
    const { complete } = compileSchema({
      allOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 }, b: { default: 3 } } }],
      anyOf: [{ properties: { c: { default: 4 } } }],
      patternProperties: { '^x-': { properties: { d: { default: 5 } } } },
      additionalProperties: { properties: { e: { default: 6 } } },
    })
    expect(complete({ 'x-1': {}, other: {}, constructor: {} })).toEqual({
      a: 1,
      b: 3,
      'x-1': { d: 5 },
      other: { e: 6 },
      constructor: { e: 6 },
    })
    expect(compileSchema({ default: { a: [1] } }).complete(undefined)).toEqual({ a: [1] })
    expect(compileSchema({ properties: { a: { default: 1 } } }).complete({ a: null })).toEqual({ a: null })
  })

  it('sees names that objects inherit', () => {
    const { complete, issues } = compileSchema({
      required: ['toString'],
      properties: { toString: { type: 'string' }, constructor: { type: 'string', default: 'x' } },
    })
    expect(issues({})).toMatchObject([{ pointer: '/toString', code: 'required' }])
    expect(complete({ toString: 'a' })).toEqual({ toString: 'a', constructor: 'x' })
  })

  it('passes on own properties called __proto__ as data', () => {
    const { complete, issues } = compileSchema({ additionalProperties: false, properties: { a: { default: 1 } } })
    const hostile = complete(JSON.parse('{"__proto__": {"polluted": true}}')) as object
    expect(Object.keys(hostile)).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype)
    expect(issues(hostile)).toMatchObject([{ pointer: '/__proto__', code: 'additionalProperties' }])
  })
})
