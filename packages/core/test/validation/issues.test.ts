// biome-ignore-all lint/suspicious/noThenProperty: the keyword of JSON Schema; nothing awaits these schemas
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileSchema, describeIssues } from '../../src/schemas/index.js'

const told = (schema: object, value: unknown) =>
  compileSchema(schema)
    .issues(value)
    .map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`)

describe('issues', () => {
  it('have pointer, code, message, and what was expected and received', () => {
    const { issues } = compileSchema({ properties: { 'a/b': { minimum: 3 }, c: { items: { type: 'string' } } } })
    expect(issues({ 'a/b': 2, c: ['x', {}, 'y'.repeat(300)] })).toEqual([
      { pointer: '/a~1b', code: 'minimum', message: 'must be at least 3', expected: 3, received: 2 },
      { pointer: '/c/1', code: 'type', message: 'must be a string', expected: 'string' },
    ])
    expect(describeIssues(issues({ 'a/b': 2 }))).toBe('/a~1b must be at least 3')
    expect(describeIssues(compileSchema({ type: 'null' }).issues(1), 'the whole')).toBe('the whole must be null')
  })

  it.each<[object, unknown, string[]]>([
    [{ type: ['string', 'null'] }, 5, [' type: must be a string or null']],
    [{ enum: ['a', 1, null] }, 'b', [' enum: must be one of a, 1, null']],
    [{ enum: [...Array(23).keys()] }, 'b', [expect.stringMatching(/17, 18, 19 or one of 3 more$/)]],
    [{ enum: [] }, 'b', [' enum: has no options to choose from']],
    [{ const: { a: 1 } }, 'b', [' const: must be {"a":1}']],
    [
      { minLength: 1, pattern: '^a' },
      '',
      [' minLength: must have at least 1 character', ' pattern: must match the pattern ^a'],
    ],
    [{ maxLength: 2 }, 'abc', [' maxLength: must have at most 2 characters']],
    [{ format: 'uuid' }, 'x', [' format: must have the format "uuid"']],
    [{ minItems: 2, uniqueItems: true }, [1], [' minItems: must have at least 2 items']],
    [
      { exclusiveMinimum: 1, multipleOf: 2 },
      1,
      [' exclusiveMinimum: must be more than 1', ' multipleOf: must be a multiple of 2'],
    ],
    [{ required: ['b', 'a'] }, {}, ['/b required: is required', '/a required: is required']],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ['/b dependentRequired: is required beside "a"']],
    [{ additionalProperties: false }, { x: 1 }, ['/x additionalProperties: is not a known property']],
    [{ propertyNames: { maxLength: 1 } }, { xy: 1 }, ['/xy propertyNames: has a name that is not allowed']],
    [{ prefixItems: [true], items: false }, [1, 2], ['/1 items: is not a known item']],
    [{ properties: { a: false } }, { a: 1 }, ['/a false: is not allowed']],
    [{ not: { pattern: '\\n' } }, 'a\n', [' not: must not contain a line feed']],
    [{ contains: { const: 1 }, minContains: 2 }, [1], [' contains: must contain at least 2 matching items, not 1']],
    [{ oneOf: [true, true, false] }, 1, [' oneOf: must match exactly one of 3 alternatives but matches 2']],
    [{ if: { type: 'number' }, then: { minimum: 5 } }, 1, [' minimum: must be at least 5']],
    [{ type: 'string', minimum: 5, enum: ['a'] }, 1, [' type: must be a string']],
  ])('say what is wrong with %j', (schema, value, expected) => {
    expect(told(schema, value)).toEqual(expected)
  })

  it('of alternatives are those of the one that is meant', () => {
    const nullable = Type.Union([Type.String({ minLength: 3 }), Type.Null()])
    expect(told(nullable, 'ab')).toEqual([' minLength: must have at least 3 characters'])
    expect(told(nullable, 5)).toEqual([' type: must be a string or null'])
    expect(told(Type.Union([Type.Literal('a'), Type.Enum(['b', 'c'])]), 'd')).toEqual([' enum: must be one of a, b, c'])
    const shapes = Type.Union([
      Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }),
      Type.Object({ kind: Type.Literal('box'), width: Type.Number(), height: Type.Number() }),
    ])
    expect(told(shapes, { kind: 'box', width: 'x' })).toEqual([
      '/height required: is required',
      '/width type: must be a finite number',
    ])
    expect(told(shapes, { kind: 'line' })).toEqual([' anyOf: must match one of 2 alternatives'])
    const mode = { anyOf: [{ properties: { mode: { enum: ['a', 'b'] } } }, { type: 'null' }] }
    expect(told(mode, { mode: 'c' })).toEqual(['/mode enum: must be one of a, b'])
    expect(told({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {})).toEqual([
      ' anyOf: must match one of 2 alternatives',
    ])
  })

  it('of a broken list do not hide those that follow', () => {
    const list = { type: 'array', items: { type: 'string' } }
    const schema = { properties: { a: list, b: list }, required: ['c'] }
    expect(told(schema, { a: new Array(5000).fill(1), b: [1] })).toEqual([
      '/c required: is required',
      ...Array.from({ length: 100 }, (_, index) => `/a/${index} type: must be a string`),
      '/b/0 type: must be a string',
    ])
  })

  it('are told of values that cannot be read', () => {
    const trap = {
      get a() {
        throw new Error('trap')
      },
    }
    const { check, issues } = compileSchema({ properties: { a: true }, maxProperties: 1 })
    expect(issues(trap)).toMatchObject([{ pointer: '', code: 'unreadable', message: 'cannot be read: trap' }])
    expect(check(trap)).toBe(false)
  })
})
