import { Type as Sinclair } from '@sinclair/typebox'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import {
  compileSchema,
  MAX_SCHEMA_BYTES,
  MAX_SCHEMA_DEPTH,
  SCHEMA_FORMATS,
  schemaIssues,
} from '../../src/schemas/index.js'

function nested(levels: number): object {
  let schema: object = {}
  for (let level = 1; level < levels; level++) schema = { not: schema }
  return schema
}

function doubling(levels: number): object {
  const $defs: Record<string, object> = { [`d${levels}`]: { type: 'string' } }
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` }
    $defs[`d${level}`] = { anyOf: [next, next] }
  }
  return { $ref: '#/$defs/d0', $defs }
}

function chain(length: number): object {
  const $defs: Record<string, object> = {}
  for (let link = 0; link < length; link++) $defs[link] = { properties: { a: { $ref: `#/$defs/${link + 1}` } } }
  return { $ref: '#/$defs/0', $defs: { ...$defs, [length]: { type: 'string' } } }
}

const cyclic: Record<string, unknown> = {}
cyclic.not = cyclic

const refused: [string, string, unknown][] = [
  ['a boolean', 'TYPE', true],
  ['a list', 'TYPE', []],
  ['a function inside', 'JSON', { default: () => 1 }],
  ['a circle of objects', 'JSON', cyclic],
  ['too many levels', 'DEPTH', nested(MAX_SCHEMA_DEPTH + 1)],
  ['too many bytes', 'SIZE', { description: 'x'.repeat(MAX_SCHEMA_BYTES) }],
  ['an unknown dialect', 'DIALECT', { $schema: 'https://json-schema.org/draft/2019-09/schema' }],
  ['a dialect that is no text', 'DIALECT', { $schema: 7 }],
  ['an unknown type', 'META_SCHEMA', { type: 'money' }],
  ['a wrong keyword value', 'META_SCHEMA', { properties: { a: { minLength: -1 } } }],
  [
    'what only draft-07 allows',
    'META_SCHEMA',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', items: [{}] },
  ],
  ['typebox undefined', 'META_SCHEMA', Type.Object({ a: Type.Undefined() })],
  ['@sinclair dates', 'META_SCHEMA', Sinclair.Object({ a: Sinclair.Date() })],
  ['an unknown format', 'FORMAT', { properties: { a: { format: 'zip-code' } } }],
  ['a format like a method', 'FORMAT', { format: 'toString' }],
  ['a broken pattern', 'PATTERN', { pattern: '(' }],
  ['a back-reference', 'PATTERN', { pattern: '(a)\\1' }],
  ['a look-ahead in a property pattern', 'PATTERN', { patternProperties: { '^(?=a)': {} } }],
  ['a refinement of typebox', 'KEYWORD', Type.Object({ a: Type.Refine(Type.String(), (text) => text !== '') })],
  [
    'a codec of typebox',
    'KEYWORD',
    Type.Array(
      Type.Codec(Type.String())
        .Decode(Number)
        .Encode((value) => String(value)),
    ),
  ],
  [
    'a transform of @sinclair/typebox',
    'KEYWORD',
    Sinclair.Object({
      a: Sinclair.Transform(Sinclair.String())
        .Decode(Number)
        .Encode((value) => String(value)),
    }),
  ],
  ['both forms of tuple', 'KEYWORD', { items: [{}], prefixItems: [{}] }],
  ['a reference to nowhere', 'REFERENCE', { $ref: '#/$defs/missing' }],
  ['a reference to elsewhere', 'REFERENCE', { $ref: 'https://example.com/schema.json' }],
  ['a circle of references', 'RECURSION', { $ref: '#' }],
  [
    'a circle through allOf',
    'RECURSION',
    { $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } },
  ],
  ['references that double', 'RECURSION', doubling(20)],
  ['defaults without end', 'UNUSABLE', { properties: { a: { $ref: '#', default: {} } } }],
]

describe('schemas that are refused', () => {
  it.each(refused)('%s (%s)', (_, code, schema) => {
    expect(schemaIssues(schema)).toMatchObject([{ code }])
    expect(() => compileSchema(schema as object)).toThrow(expect.objectContaining({ code: 'INVALID_SCHEMA' }))
  })

  it('say where the problem is', () => {
    expect(schemaIssues({ properties: { 'a/b': { format: 'zip' } } })[0]?.pointer).toBe('/properties/a~1b/format')
    expect(schemaIssues({ $defs: { a: { type: 1 } } })[0]?.pointer).toBe('/$defs/a/type')
  })
})

describe('schemas that are accepted', () => {
  it.each([
    ['the deepest', nested(MAX_SCHEMA_DEPTH)],
    ['a few doublings', doubling(8)],
    ['a long chain of references', chain(5000)],
    ['a pattern that only backtracking makes slow', { pattern: '^(a+)+$' }],
    ['the older tuples beside the newer', { items: [{}], not: { prefixItems: [{}] } }],
    ['every known format', { anyOf: SCHEMA_FORMATS.map((format) => ({ format })) }],
    ['annotations of any name', { 'x-order': 1, example: { format: 'zip-code', pattern: '(' } }],
    ['a property called pattern', { properties: { pattern: { type: 'string' }, format: { type: 'string' } } }],
    ['draft-07 over https', { $schema: 'https://json-schema.org/draft-07/schema' }],
    ['two schemas with one $id', { $id: 'https://example.com/a', type: 'object' }],
    ['two schemas with one $id, again', { $id: 'https://example.com/a', type: 'string' }],
  ])('%s', (_, schema) => {
    expect(schemaIssues(schema)).toEqual([])
  })
})

describe('values against a schema', () => {
  it('are matched in linear time', () => {
    const { issues } = compileSchema({ properties: { a: { pattern: '^(a|b)*c$' }, mail: { format: 'email' } } })
    expect(issues({ a: 'a'.repeat(100_000), mail: `${'a'.repeat(1_000_000)}@` })).toHaveLength(2)
  })

  it('tells two patterns apart', () => {
    const { issues } = compileSchema({ properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } })
    expect(issues({ a: 'a', b: 'b' })).toEqual([])
    expect(issues({ a: 'b', b: 'a' })).toHaveLength(2)
  })

  it('never throws from issues, and refuses in complete what JSON cannot carry', () => {
    const compiled = compileSchema({ properties: { next: { $ref: '#' } } })
    let deep: Record<string, unknown> = {}
    for (let level = 0; level < 100_000; level++) deep = { next: deep }
    expect(compiled.issues(deep)).toMatchObject([{ code: 'depth' }])
    for (const value of [deep, { a: 1n }, { a: Number.NaN }, { a: '\ud800' }, { a: new Map() }]) {
      expect(() => compiled.complete(value)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    }
  })

  it('keeps error lists short', () => {
    const { issues } = compileSchema({ items: { type: 'string' } })
    expect(issues(new Array(5000).fill(1))).toHaveLength(100)
    expect(JSON.stringify(issues([{ huge: 'x'.repeat(100_000) }])).length).toBeLessThan(500)
  })
})
