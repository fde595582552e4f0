import { describe, expect, it } from 'vitest'
import { compileSchema, schemaIssues } from '../../src/schemas/index.js'

const draft07 = 'http://json-schema.org/draft-07/schema#'
const weight = { properties: { weight: { type: 'number', default: 1 } } }

/** Each refers to a schema with a default and a rule, so that following the reference shows in both. */
const followed: [string, object][] = [
  [
    'an anchor by absolute URI',
    { $id: 'https://example.com/a', $ref: 'https://example.com/a#w', $defs: { w: { $anchor: 'w', ...weight } } },
  ],
  ['an absolute $id', { $ref: 'https://example.com/w', $defs: { w: { $id: 'https://example.com/w', ...weight } } }],
  [
    'an $id that is not normalised',
    { $ref: 'https://example.com/w', $defs: { w: { $id: 'HTTPS://example.com/a/../w', ...weight } } },
  ],
  [
    'a relative $id',
    { $id: 'https://example.com/folder/root', $ref: 'w', $defs: { w: { $id: '/folder/w', ...weight } } },
  ],
  ['a relative $id without a base', { $ref: 'parts/w', $defs: { w: { $id: 'parts/w', ...weight } } }],
  ['an empty fragment', { $ref: 'https://example.com/w#', $defs: { w: { $id: 'https://example.com/w', ...weight } } }],
  [
    'a pointer into another resource',
    { $ref: 'https://example.com/w#/$defs/x', $defs: { w: { $id: 'https://example.com/w', $defs: { x: weight } } } },
  ],
  [
    'a pointer inside an embedded resource',
    { $ref: 'sub', $defs: { x: { type: 'string' }, s: { $id: 'sub', $ref: '#/$defs/x', $defs: { x: weight } } } },
  ],
  [
    'one anchor name in two resources',
    {
      $ref: 'sub#w',
      $defs: { x: { $anchor: 'w', type: 'string' }, s: { $id: 'sub', $defs: { x: { $anchor: 'w', ...weight } } } },
    },
  ],
  [
    'a URN',
    {
      $id: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed',
      $ref: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed#/$defs/w',
      $defs: { w: weight },
    },
  ],
  ['a pointer with escapes', { $ref: '#/$defs/a~1b%25%20c~0', $defs: { 'a/b% c~': weight } }],
  ['a pointer through a list', { $ref: '#/allOf/0/anyOf/1', allOf: [{ anyOf: [true, weight] }] }],
  ['a part under an unknown keyword', { $ref: '#/components/w', components: { w: weight } }],
  [
    'a chain of references',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#b' }, b: { $anchor: 'b', $ref: 'c' }, c: { $id: 'c', ...weight } } },
  ],
  ['the name of a $dynamicAnchor', { $ref: '#w', $defs: { w: { $dynamicAnchor: 'w', ...weight } } }],
  ['a $dynamicRef to the only such anchor', { $dynamicRef: '#w', $defs: { w: { $dynamicAnchor: 'w', ...weight } } }],
  ['a $dynamicRef to an $anchor', { $dynamicRef: '#w', $defs: { w: { $anchor: 'w', ...weight } } }],
  ['a $dynamicRef by pointer', { $dynamicRef: '#/$defs/w', $defs: { w: weight } }],
  [
    'a $dynamicRef beside a $ref',
    { $ref: '#/$defs/any', $dynamicRef: '#w', $defs: { any: true, w: { $dynamicAnchor: 'w', ...weight } } },
  ],
  [
    'an $id of draft-07 that is an anchor',
    { $schema: draft07, $ref: '#w', definitions: { w: { $id: '#w', ...weight } } },
  ],
  [
    'draft-07, where an $id beside $ref does not count',
    {
      $schema: draft07,
      $id: 'http://localhost/root/',
      allOf: [{ $id: 'http://localhost/other/', $ref: 'w' }],
      definitions: { a: { $id: 'http://localhost/other/w', type: 'string' }, b: { $id: 'w', ...weight } },
    },
  ],
  ['an $id used for equal schemas', { allOf: [{ $id: 'w', ...weight }, { $id: 'w', ...weight }, { $ref: 'w' }] }],
]

describe('references', () => {
  it.each(followed)('follow %s', (_, schema) => {
    expect(schemaIssues(schema)).toEqual([])
    const { complete, issues } = compileSchema(schema)
    expect(complete({})).toEqual({ weight: 1 })
    expect(issues({ weight: 'heavy' })).not.toEqual([])
    expect(issues({ weight: 2 })).toEqual([])
  })

  it('follow recursion into the value', () => {
    const tree = { $id: 'https://example.com/tree', $dynamicAnchor: 'node', ...weight }
    for (const [keyword, ref] of [
      ['$dynamicRef', '#node'],
      ['$ref', 'https://example.com/tree'],
      ['$ref', '#node'],
      ['$ref', 'tree'],
    ] as const) {
      const schema = { ...tree, properties: { ...weight.properties, next: { [keyword]: ref } } }
      const { complete, issues } = compileSchema(schema)
      expect(complete({ next: { next: {} } })).toEqual({ weight: 1, next: { weight: 1, next: { weight: 1 } } })
      expect(issues({ next: { next: { weight: 'x' } } })).toMatchObject([{ pointer: '/next/next/weight' }])
    }
  })

  it('reach boolean schemas', () => {
    const { issues } = compileSchema({
      properties: { a: { $ref: '#/$defs/no' }, b: { $ref: '#/$defs/yes' } },
      $defs: { no: false, yes: true },
    })
    expect(issues({ b: 1 })).toEqual([])
    expect(issues({ a: 1 })).toMatchObject([{ pointer: '/a' }])
  })

  it('do not see an $id or an anchor inside a value', () => {
    const schema = { const: { $id: 'w' }, enum: [{ $anchor: 'w' }], anyOf: [{ $ref: 'w' }, { $ref: '#w' }] }
    expect(schemaIssues(schema)).toMatchObject([{ code: 'REFERENCE' }, { code: 'REFERENCE' }])
  })

  const draft07Siblings = {
    $schema: draft07,
    properties: { a: { $ref: '#/definitions/a', type: 'string', maxItems: 1 } },
    definitions: { a: { type: 'array' } },
  }

  it('stand alone in draft-07, whatever is beside them', () => {
    const { issues } = compileSchema(draft07Siblings)
    expect(issues({ a: [1, 2] })).toEqual([])
    expect(issues({ a: 'x' })).toMatchObject([{ pointer: '/a', code: 'type' }])
  })

  it('apply together with what is beside them in draft 2020-12', () => {
    const { $schema: _, ...schema } = draft07Siblings
    const { issues } = compileSchema({ ...schema, properties: { a: { $ref: '#/definitions/a', maxItems: 1 } } })
    expect(issues({ a: [1] })).toEqual([])
    expect(issues({ a: [1, 2] })).toMatchObject([{ code: 'maxItems' }])
  })

  it('check the part they refer to, wherever it is', () => {
    const schema = { $ref: '#/components/a', components: { a: { properties: { b: { pattern: '(a)\\1' } } } } }
    expect(schemaIssues(schema)).toMatchObject([{ code: 'PATTERN', pointer: '/components/a/properties/b/pattern' }])
    expect(schemaIssues({ $ref: '#/components', components: { type: 'money' } })).toMatchObject([
      { code: 'META_SCHEMA', pointer: '/components/type' },
    ])
  })
})

const refused: [string, string, string, object][] = [
  ['nothing', 'REFERENCE', '/properties/a/$ref', { properties: { a: { $ref: '#/$defs/b' } } }],
  ['another document', 'REFERENCE', '/$ref', { $ref: 'https://json-schema.org/draft/2020-12/schema' }],
  [
    'an anchor of the wrong resource',
    'REFERENCE',
    '/$ref',
    { $ref: '#w', $defs: { s: { $id: 's', $defs: { w: { $anchor: 'w' } } } } },
  ],
  ['a relative path from a URN', 'REFERENCE', '/$ref', { $id: 'urn:a:b', $ref: 'c' }],
  ['a URI that cannot be read', 'REFERENCE', '/$ref', { $ref: 'https://[' }],
  ['what is not a schema', 'REFERENCE', '/$ref', { $ref: '#/required', required: ['a'] }],
  [
    'one of two $dynamicAnchors',
    'REFERENCE',
    '/$defs/t/properties/next/$dynamicRef',
    {
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { t: { $id: 'tree', $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } } },
    },
  ],
  ['itself by absolute URI', 'RECURSION', '', { $id: 'https://example.com/a', $ref: 'https://example.com/a' }],
  ['itself by $dynamicRef', 'RECURSION', '', { $dynamicAnchor: 'a', $dynamicRef: '#a' }],
  ['itself through an if', 'RECURSION', '', { if: { $ref: '#' } }],
  [
    'an $id that two schemas have',
    'REFERENCE',
    '/$defs/b/$id',
    { $ref: 'a', $defs: { a: { $id: 'a', type: 'string' }, b: { $id: 'a', type: 'number' } } },
  ],
  [
    'an anchor that two schemas have',
    'REFERENCE',
    '/$defs/b/$anchor',
    { $ref: '#a', $defs: { a: { $anchor: 'a', type: 'string' }, b: { $anchor: 'a' } } },
  ],
  ['an $id that is not a URI', 'REFERENCE', '/$id', { $id: 'https://[' }],
  ['$recursiveRef', 'KEYWORD', '/items/0/$recursiveRef', { items: [{ $recursiveRef: '#' }] }],
  [
    'an embedded schema of another draft',
    'DIALECT',
    '/$defs/a/$schema',
    { $ref: 'a', $defs: { a: { $id: 'a', $schema: draft07 } } },
  ],
]

describe('references that are refused: to', () => {
  it.each(refused)('%s (%s)', (_, code, pointer, schema) => {
    expect(schemaIssues(schema)).toMatchObject([{ code, pointer }])
  })
})
