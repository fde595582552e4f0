// biome-ignore-all lint/suspicious/noThenProperty: the keyword of JSON Schema; nothing awaits these schemas

/** Schemas with values that are valid and values that are not, or with the code for which they are refused. */
export interface Case {
  readonly keyword: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly valid?: readonly unknown[]
  readonly invalid?: readonly unknown[]
  readonly refused?: string
}

const OTHERS = [null, true, 12, 'text', [], {}]
const without = (...left: unknown[]) => OTHERS.filter((value) => !left.some((other) => typeof other === typeof value))
const proto = (json: string) => JSON.parse(json)

/** Cases that mean the same in draft 2020-12 and draft-07. */
export const COMMON: readonly Case[] = [
  { keyword: 'type', schema: { type: 'string' }, valid: ['', 'a', '1'], invalid: [null, 0, true, [], {}, ['a']] },
  { keyword: 'type', schema: { type: 'number' }, valid: [0, -1.5, 1e300], invalid: [null, '1', false, [], {}] },
  { keyword: 'type', schema: { type: 'integer' }, valid: [0, -7, 1.0, 1e20], invalid: [1.1, '1', null, [1]] },
  { keyword: 'type', schema: { type: 'boolean' }, valid: [true, false], invalid: [0, 1, '', 'true', null, []] },
  { keyword: 'type', schema: { type: 'null' }, valid: [null], invalid: [0, false, '', [], {}] },
  { keyword: 'type', schema: { type: 'array' }, valid: [[], [1]], invalid: [{}, { length: 1, 0: 1 }, 'ab', null] },
  { keyword: 'type', schema: { type: 'object' }, valid: [{}, { a: 1 }], invalid: [[], null, 'a', 1] },
  { keyword: 'type', schema: { type: ['string', 'null'] }, valid: ['a', null], invalid: [1, [], {}, false] },
  { keyword: 'type', schema: { type: ['integer', 'array'] }, valid: [1, [0.5]], invalid: [0.5, {}, 'a', null] },
  { keyword: 'type', schema: { type: 'float' }, refused: 'META_SCHEMA' },
  { keyword: 'type', schema: { type: [] }, refused: 'META_SCHEMA' },
  { keyword: 'type', schema: { type: ['string', 'string'] }, refused: 'META_SCHEMA' },

  {
    keyword: 'enum',
    schema: { enum: [1, 'a', null] },
    valid: [1, 'a', null],
    invalid: ['1', 2, false, [], {}, undefined],
  },
  {
    keyword: 'enum',
    schema: { enum: [{ a: [1, { b: 2 }] }, [], [0]] },
    valid: [{ a: [1, { b: 2 }] }, [], [0]],
    invalid: [{ a: [1, { b: 3 }] }, {}, [[]], [false], null],
  },
  { keyword: 'enum', schema: { enum: [0] }, valid: [0, -0, 0.0], invalid: [false, '', null, [0]] },
  { keyword: 'enum', schema: { enum: [true] }, valid: [true], invalid: [1, 'true', [true]] },
  { keyword: 'enum', schema: { enum: 'abcdefghij'.split('') }, valid: ['a', 'j'], invalid: ['k', '', 'toString'] },
  { keyword: 'enum', schema: { enum: [] }, invalid: OTHERS },
  { keyword: 'enum', schema: { enum: 'a' }, refused: 'META_SCHEMA' },
  { keyword: 'const', schema: { const: 2 }, valid: [2, 2.0], invalid: ['2', 3, [2], true] },
  { keyword: 'const', schema: { const: null }, valid: [null], invalid: [0, false, '', {}] },
  {
    keyword: 'const',
    schema: { const: { a: 1, b: [2] } },
    valid: [{ b: [2], a: 1 }],
    invalid: [{ a: 1 }, { a: 1, b: [2], c: 3 }, [1]],
  },
  { keyword: 'const', schema: { const: { a: false } }, valid: [{ a: false }], invalid: [{ a: 0 }, { a: null }] },

  { keyword: 'minimum', schema: { minimum: 1.1 }, valid: [1.1, 2, 'a', null, [0]], invalid: [1, 0, -5] },
  { keyword: 'minimum', schema: { minimum: -2 }, valid: [-2, 0, -2.0], invalid: [-2.0001, -300] },
  { keyword: 'maximum', schema: { maximum: 3 }, valid: [3, -1, 'abcd', {}], invalid: [3.5, 4] },
  { keyword: 'exclusiveMinimum', schema: { exclusiveMinimum: 1 }, valid: [1.2, 'a'], invalid: [1, 0] },
  { keyword: 'exclusiveMaximum', schema: { exclusiveMaximum: 1 }, valid: [0.9, []], invalid: [1, 2] },
  { keyword: 'exclusiveMaximum', schema: { exclusiveMaximum: true, maximum: 1 }, refused: 'META_SCHEMA' },
  { keyword: 'multipleOf', schema: { multipleOf: 2 }, valid: [10, 0, -4, 'a'], invalid: [7, 0.5] },
  { keyword: 'multipleOf', schema: { multipleOf: 1.5 }, valid: [0, 4.5], invalid: [35] },
  { keyword: 'multipleOf', schema: { multipleOf: 0.0001 }, valid: [0.0075, 1], invalid: [0.00751] },
  { keyword: 'multipleOf', schema: { type: 'integer', multipleOf: 0.123456789 }, invalid: [1e308] },
  { keyword: 'multipleOf', schema: { multipleOf: 0 }, refused: 'META_SCHEMA' },

  { keyword: 'minLength', schema: { minLength: 2 }, valid: ['ab', 'abc', 1, []], invalid: ['a', '', '💩'] },
  { keyword: 'minLength', schema: { minLength: 1 }, valid: ['a', '💩', 0], invalid: [''] },
  { keyword: 'maxLength', schema: { maxLength: 2 }, valid: ['', 'ab', '💩💩', 100], invalid: ['abc', '💩💩💩'] },
  { keyword: 'maxLength', schema: { maxLength: 0 }, valid: ['', {}], invalid: ['a'] },
  { keyword: 'maxLength', schema: { maxLength: 1.5 }, refused: 'META_SCHEMA' },
  { keyword: 'minLength', schema: { minLength: -1 }, refused: 'META_SCHEMA' },
  { keyword: 'pattern', schema: { pattern: '^a*$' }, valid: ['', 'aaa', 5, null], invalid: ['abc', 'a\n'] },
  { keyword: 'pattern', schema: { pattern: 'b+' }, valid: ['abbc'], invalid: ['ac'] },
  { keyword: 'pattern', schema: { pattern: '^\\p{Lu}\\d{2}$' }, valid: ['É12'], invalid: ['e12', 'É1', 'É١٢'] },
  { keyword: 'pattern', schema: { pattern: '^.$' }, valid: ['a', '💩'], invalid: ['', 'ab', '\n'] },
  { keyword: 'pattern', schema: { pattern: '^\\S\\w\\W\\D\\s$' }, valid: ['ab-c '], invalid: ['ab-1 ', ' b-c '] },
  { keyword: 'pattern', schema: { pattern: 'a(?=b)' }, refused: 'PATTERN' },
  { keyword: 'pattern', schema: { pattern: '(a)\\1' }, refused: 'PATTERN' },
  { keyword: 'pattern', schema: { pattern: '[' }, refused: 'PATTERN' },
  { keyword: 'pattern', schema: { pattern: 5 }, refused: 'META_SCHEMA' },

  { keyword: 'minItems', schema: { minItems: 1 }, valid: [[1], 'x', {}], invalid: [[]] },
  { keyword: 'maxItems', schema: { maxItems: 2 }, valid: [[], [1, 2], 'abc'], invalid: [[1, 2, 3]] },
  {
    keyword: 'uniqueItems',
    schema: { uniqueItems: true },
    valid: [[1, 2], [1, true], [0, false], ['1', 1], [[1], [[1]]], [{ a: 1 }, { a: '1' }], [{}, []], ['[]', []], 'aa'],
    invalid: [
      [1, 1.0],
      ['a', 'b', 'a'],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [
        [1, [2]],
        [1, [2]],
      ],
      [null, null],
    ],
  },
  { keyword: 'uniqueItems', schema: { uniqueItems: false }, valid: [[1, 1]] },
  { keyword: 'minProperties', schema: { minProperties: 1 }, valid: [{ a: 1 }, [], ''], invalid: [{}] },
  { keyword: 'maxProperties', schema: { maxProperties: 1 }, valid: [{}, { a: 1 }, [1, 2]], invalid: [{ a: 1, b: 2 }] },
  { keyword: 'maxProperties', schema: { maxProperties: 0 }, valid: [{}], invalid: [{ toString: 1 }] },

  { keyword: 'required', schema: { required: ['a'] }, valid: [{ a: null }, [], 'a', 1], invalid: [{}, { b: 1 }] },
  { keyword: 'required', schema: { required: [] }, valid: [{}] },
  {
    keyword: 'required',
    schema: { required: ['__proto__', 'toString', 'constructor'] },
    valid: [proto('{"__proto__": 1, "toString": 2, "constructor": 3}'), []],
    invalid: [{}, { toString: 1 }, proto('{"__proto__": 1}')],
  },
  { keyword: 'required', schema: { required: ['a"\\\n\u2028'] }, valid: [{ 'a"\\\n\u2028': 1 }], invalid: [{ a: 1 }] },
  { keyword: 'required', schema: { required: ['a', 'a'] }, refused: 'META_SCHEMA' },
  { keyword: 'required', schema: { required: true }, refused: 'META_SCHEMA' },

  {
    keyword: 'properties',
    schema: { properties: { a: { type: 'integer' }, b: { type: 'string' } } },
    valid: [{}, { a: 1, b: '' }, { c: [] }, [], 12],
    invalid: [{ a: '1' }, { b: {} }, { a: [], b: {} }],
  },
  { keyword: 'properties', schema: { properties: { a: true, b: false } }, valid: [{}, { a: 1 }], invalid: [{ b: 1 }] },
  {
    keyword: 'properties',
    schema: {
      properties: proto(
        '{"__proto__": {"type": "number"}, "toString": {"properties": {"length": {"type": "string"}}}}',
      ),
    },
    valid: [{}, [], proto('{"__proto__": 1}'), { toString: { length: 'a' } }],
    invalid: [proto('{"__proto__": "a"}'), { toString: { length: 1 } }],
  },
  { keyword: 'properties', schema: { properties: { a: { type: 'null' } } }, valid: [{ a: null }], invalid: [{ a: 0 }] },
  {
    keyword: 'patternProperties',
    schema: { patternProperties: { 'f.*o': { type: 'integer' }, '^x': { minimum: 5 } } },
    valid: [{ foo: 1 }, { foooo: 2, bar: 'a' }, { xfoo: 5 }, ['foo'], 'foo'],
    invalid: [{ foo: 'a' }, { xfoo: 1 }, { xfoo: 5.5 }, { afxo: null }],
  },
  {
    keyword: 'patternProperties',
    schema: { patternProperties: { '^a': false } },
    valid: [{ b: 1 }],
    invalid: [{ ab: 1 }],
  },
  { keyword: 'patternProperties', schema: { patternProperties: { '(?!a)': {} } }, refused: 'PATTERN' },
  {
    keyword: 'additionalProperties',
    schema: { properties: { a: {} }, patternProperties: { '^v': {} }, additionalProperties: false },
    valid: [{}, { a: 1 }, { vroom: 1 }, [1], 'a'],
    invalid: [{ b: 1 }, { a: 1, toString: 1 }, proto('{"__proto__": 1}')],
  },
  {
    keyword: 'additionalProperties',
    schema: { properties: { a: {} }, additionalProperties: { type: 'boolean' } },
    valid: [{ a: 1, b: true }],
    invalid: [{ a: 1, b: 1 }],
  },
  {
    keyword: 'additionalProperties',
    schema: { allOf: [{ properties: { a: {} } }], additionalProperties: { type: 'boolean' } },
    valid: [{ b: true }],
    invalid: [{ a: 1 }],
  },
  {
    keyword: 'propertyNames',
    schema: { propertyNames: { maxLength: 3 } },
    valid: [{ f: {}, foo: {} }, {}, ['abcd'], 'abcd'],
    invalid: [{ foobar: {} }],
  },
  { keyword: 'propertyNames', schema: { propertyNames: false }, valid: [{}], invalid: [{ a: 1 }] },

  {
    keyword: 'items',
    schema: { items: { type: 'integer' } },
    valid: [[], [1, 2], { 0: 'a' }, 'ab'],
    invalid: [[1, 'x'], [null]],
  },
  { keyword: 'items', schema: { items: false }, valid: [[]], invalid: [[1], [null]] },
  {
    keyword: 'items',
    schema: { items: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
    valid: [[[[1], []], []]],
    invalid: [[['1']], [[1]], [[[['1']]]]],
  },
  { keyword: 'items', schema: { items: 5 }, refused: 'META_SCHEMA' },
  {
    keyword: 'contains',
    schema: { contains: { minimum: 5 } },
    valid: [[3, 4, 5], [5], {}, 'a'],
    invalid: [[], [2, 3]],
  },
  { keyword: 'contains', schema: { contains: true }, valid: [['a']], invalid: [[]] },
  { keyword: 'contains', schema: { contains: false }, valid: ['none', {}], invalid: [[], ['a']] },

  {
    keyword: 'allOf',
    schema: { allOf: [{ maximum: 30 }, { minimum: 20 }], multipleOf: 5 },
    valid: [20, 25, 30, 'a'],
    invalid: [35, 15, 22],
  },
  { keyword: 'allOf', schema: { allOf: [true, false] }, invalid: OTHERS },
  { keyword: 'allOf', schema: { allOf: [] }, refused: 'META_SCHEMA' },
  {
    keyword: 'anyOf',
    schema: { anyOf: [{ type: 'integer' }, { minimum: 2 }] },
    valid: [1, 2.5, 3, 'a'],
    invalid: [1.5],
  },
  {
    keyword: 'anyOf',
    schema: { type: 'string', anyOf: [{ maxLength: 2 }, { minLength: 4 }] },
    valid: ['a', 'abcd'],
    invalid: [3, 'abc'],
  },
  {
    keyword: 'anyOf',
    schema: { anyOf: [{ required: ['a'], properties: { a: { type: 'integer' } } }, { required: ['b'] }] },
    valid: [{ a: 1 }, { b: 'x' }, { a: 'x', b: 1 }, 5],
    invalid: [{ a: 'x' }, {}],
  },
  {
    keyword: 'oneOf',
    schema: { oneOf: [{ type: 'integer' }, { minimum: 2 }] },
    valid: [1, 2.5, 'a'],
    invalid: [3, 1.5],
  },
  {
    keyword: 'oneOf',
    schema: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    valid: [{ a: 1 }, { b: 1, c: 1 }],
    invalid: [{ a: 1, b: 1 }, { c: 1 }, 12],
  },
  { keyword: 'oneOf', schema: { oneOf: [true, true, true] }, invalid: OTHERS },
  { keyword: 'not', schema: { not: { type: 'integer' } }, valid: ['a', 1.5], invalid: [1] },
  { keyword: 'not', schema: { not: { type: ['integer', 'boolean'] } }, valid: ['a'], invalid: [1, true] },
  { keyword: 'not', schema: { not: {} }, invalid: OTHERS },
  { keyword: 'not', schema: { not: false }, valid: OTHERS },
  { keyword: 'not', schema: { properties: { a: { not: {} } } }, valid: [{}, { b: 1 }], invalid: [{ a: 1 }] },
  { keyword: 'not', schema: { not: { not: { type: 'string' } } }, valid: ['a'], invalid: [1] },
  {
    keyword: 'if',
    schema: { if: { exclusiveMaximum: 0 }, then: { minimum: -10 }, else: { multipleOf: 2 } },
    valid: [-1, -10, 4, 'a'],
    invalid: [-100, 3],
  },
  { keyword: 'if', schema: { if: { const: 0 } }, valid: OTHERS },
  { keyword: 'if', schema: { then: { const: 0 }, else: { const: 1 } }, valid: OTHERS },
  {
    keyword: 'if',
    schema: { if: true, then: { const: 'then' }, else: { const: 'else' } },
    valid: ['then'],
    invalid: ['else'],
  },
  {
    keyword: 'if',
    schema: { if: false, then: { const: 'then' }, else: { const: 'else' } },
    valid: ['else'],
    invalid: ['then'],
  },
  {
    keyword: 'if',
    schema: { allOf: [{ if: { maximum: 0 } }, { then: { minimum: -10 } }, { else: { multipleOf: 2 } }] },
    valid: [-100, 3],
  },

  {
    keyword: 'default',
    schema: { properties: { a: { type: 'integer', default: [] } } },
    valid: [{ a: 1 }, {}],
    invalid: [{ a: 'x' }],
  },
  {
    keyword: 'an unknown keyword',
    schema: { foo: 1, fields: [{}], storable: true, json: true, $async: true },
    valid: OTHERS,
  },
  { keyword: 'an unknown keyword', schema: { unusable: { as: 'x', message: 'y' } }, valid: OTHERS },
  { keyword: 'title', schema: { title: 'a', description: 'b', examples: [1], $comment: 'c' }, valid: OTHERS },
  { keyword: 'title', schema: { title: 1 }, refused: 'META_SCHEMA' },
  {
    keyword: 'contentMediaType',
    schema: { contentMediaType: 'application/json', contentEncoding: 'base64' },
    valid: ['not JSON', '{:}', 100],
  },

  {
    keyword: '$ref',
    schema: { properties: { a: { $ref: '#' } }, additionalProperties: false },
    valid: [{ a: false }, { a: { a: {} } }],
    invalid: [{ b: 1 }, { a: { b: 1 } }],
  },
  {
    keyword: '$ref',
    schema: { properties: { a: { type: 'integer' }, b: { $ref: '#/properties/a' } } },
    valid: [{ b: 3 }],
    invalid: [{ b: 'x' }],
  },
  {
    keyword: '$ref',
    schema: { properties: { $ref: { type: 'string' } } },
    valid: [{ $ref: 'a' }],
    invalid: [{ $ref: 2 }],
  },
  {
    keyword: '$ref',
    schema: {
      $ref: '#/definitions/c',
      definitions: { a: { type: 'integer' }, b: { $ref: '#/definitions/a' }, c: { $ref: '#/definitions/b' } },
    },
    valid: [5],
    invalid: ['a'],
  },
  { keyword: '$ref', schema: { $ref: '#/definitions/no', definitions: { no: false } }, invalid: OTHERS },
  { keyword: '$ref', schema: { $ref: '#/definitions/missing' }, refused: 'REFERENCE' },
  { keyword: '$ref', schema: { $ref: 'http://localhost:1234/integer.json' }, refused: 'REFERENCE' },
  { keyword: '$ref', schema: { allOf: [{ $ref: '#' }] }, refused: 'RECURSION' },
  {
    keyword: '$id',
    schema: {
      $id: 'http://localhost/tree',
      type: 'object',
      properties: { nodes: { type: 'array', items: { $ref: 'node' } } },
      definitions: {
        node: {
          $id: 'http://localhost/node',
          type: 'object',
          properties: { value: { type: 'number' }, subtree: { $ref: 'tree' } },
          required: ['value'],
        },
      },
    },
    valid: [{ nodes: [{ value: 1, subtree: { nodes: [{ value: 1.1 }] } }] }],
    invalid: [{ nodes: [{ value: 1, subtree: { nodes: [{ value: 'x' }] } }] }, { nodes: [{}] }],
  },
  { keyword: 'format', schema: { format: 'no-such-format' }, refused: 'FORMAT' },
  { keyword: 'format', schema: { format: 'email' }, valid: without('x'), invalid: ['no address'] },
  { keyword: 'nullable', schema: { type: 'string', nullable: true }, refused: 'KEYWORD' },
  { keyword: '$recursiveRef', schema: { $recursiveRef: '#' }, refused: 'KEYWORD' },
]

/** Cases of draft 2020-12 alone. */
export const DRAFT_2020: readonly Case[] = [
  {
    keyword: 'prefixItems',
    schema: { prefixItems: [{ type: 'integer' }, { type: 'string' }] },
    valid: [[], [1], [1, 'a'], [1, 'a', true], { 0: 'x', length: 1 }],
    invalid: [
      ['a', 1],
      [1, 2],
    ],
  },
  {
    keyword: 'prefixItems',
    schema: { prefixItems: [{}, {}], items: { type: 'integer' } },
    valid: [['a', 'b', 1], ['a']],
    invalid: [['a', 'b', 'c']],
  },
  { keyword: 'prefixItems', schema: { prefixItems: [true, false], items: false }, valid: [[], [1]], invalid: [[1, 2]] },
  { keyword: 'prefixItems', schema: { prefixItems: [] }, refused: 'META_SCHEMA' },
  { keyword: 'items', schema: { items: [{}] }, refused: 'META_SCHEMA' },
  {
    keyword: 'minContains',
    schema: { contains: { const: 1 }, minContains: 2 },
    valid: [[1, 1], [1, 2, 1], 'a'],
    invalid: [[1], [], [2, 2]],
  },
  { keyword: 'minContains', schema: { contains: { const: 1 }, minContains: 0 }, valid: [[], [2], [1]] },
  { keyword: 'minContains', schema: { minContains: 2 }, valid: [[], [1]] },
  {
    keyword: 'maxContains',
    schema: { contains: { const: 1 }, maxContains: 1 },
    valid: [[1], [1, 2]],
    invalid: [[1, 1], []],
  },
  {
    keyword: 'maxContains',
    schema: { contains: { const: 1 }, minContains: 3, maxContains: 1 },
    invalid: [[], [1], [1, 1], [1, 1, 1]],
  },
  {
    keyword: 'dependentRequired',
    schema: { dependentRequired: { a: ['b', 'c'], toString: ['d'] } },
    valid: [{}, { b: 1 }, { a: 1, b: 2, c: 3 }, ['a'], 'a'],
    invalid: [{ a: 1 }, { a: 1, b: 2 }, { toString: 1 }],
  },
  {
    keyword: 'dependentSchemas',
    schema: { dependentSchemas: { a: { properties: { b: { type: 'integer' } } }, c: false } },
    valid: [{ b: 'x' }, { a: 1, b: 2 }, {}],
    invalid: [{ a: 1, b: 'x' }, { c: 1 }],
  },
  {
    keyword: '$ref',
    schema: { $ref: '#/$defs/a', maxItems: 1, $defs: { a: { type: 'array' } } },
    valid: [[], [1]],
    invalid: [[1, 2], 'a'],
  },
  {
    keyword: '$anchor',
    schema: { $ref: '#foo', $defs: { a: { $anchor: 'foo', type: 'integer' } } },
    valid: [1],
    invalid: ['a'],
  },
  {
    keyword: '$anchor',
    schema: {
      $id: 'http://localhost/x',
      $ref: 'y#foo',
      $defs: { a: { $id: 'y', $defs: { b: { $anchor: 'foo', type: 'integer' } } } },
    },
    valid: [1],
    invalid: ['a'],
  },
  {
    keyword: '$dynamicRef',
    schema: {
      $id: 'http://localhost/t',
      $dynamicAnchor: 'n',
      properties: { c: { items: { $dynamicRef: '#n' } } },
      type: 'object',
    },
    valid: [{ c: [{ c: [] }] }],
    invalid: [{ c: [1] }],
  },
  {
    keyword: '$dynamicRef',
    schema: {
      $id: 'http://localhost/s',
      $ref: 'list',
      $defs: {
        string: { $dynamicAnchor: 'itemType', type: 'string' },
        list: {
          $id: 'list',
          type: 'array',
          items: { $dynamicRef: '#itemType' },
          $defs: { any: { $dynamicAnchor: 'itemType' } },
        },
      },
    },
    refused: 'REFERENCE',
  },
  {
    keyword: 'unevaluatedProperties',
    schema: { properties: { a: {} }, patternProperties: { '^b': {} }, unevaluatedProperties: false },
    valid: [{}, { a: 1, bc: 2 }, [], 'a'],
    invalid: [{ c: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: { additionalProperties: true, unevaluatedProperties: false },
    valid: [{}, { a: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: { properties: { a: {} }, allOf: [{ properties: { b: {} } }], unevaluatedProperties: { type: 'string' } },
    valid: [{ a: 1, b: 2, c: 'x' }],
    invalid: [{ a: 1, c: 3 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: {
      anyOf: [
        { properties: { a: { const: 1 } }, required: ['a'] },
        { properties: { b: { const: 2 } }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    },
    valid: [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    invalid: [{ a: 1, b: 3 }, { a: 1, c: 1 }, {}],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: {
      oneOf: [{ properties: { a: { const: 1 } }, required: ['a'] }, { required: ['b'] }],
      unevaluatedProperties: false,
    },
    valid: [{ a: 1 }],
    invalid: [{ b: 1 }, { a: 1, b: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: { not: { not: { properties: { a: {} } } }, unevaluatedProperties: false },
    valid: [{}],
    invalid: [{ a: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false },
    valid: [{ a: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
    valid: [{}],
    invalid: [{ a: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: {
      $ref: '#/$defs/b',
      properties: { a: {} },
      unevaluatedProperties: false,
      $defs: { b: { properties: { b: {} } } },
    },
    valid: [{ a: 1, b: 2 }],
    invalid: [{ c: 3 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: { dependentSchemas: { a: { properties: { b: {} } } }, properties: { a: {} }, unevaluatedProperties: false },
    valid: [{ a: 1, b: 1 }],
    invalid: [{ b: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: {
      properties: { a: { properties: { x: {} }, unevaluatedProperties: false } },
      unevaluatedProperties: false,
    },
    valid: [{ a: { x: 1 } }],
    invalid: [{ a: { y: 1 } }, { b: 1 }],
  },
  {
    keyword: 'unevaluatedProperties',
    schema: {
      $ref: '#/$defs/one',
      unevaluatedProperties: false,
      $defs: {
        one: {
          properties: { a: true },
          anyOf: [{ required: ['b'], properties: { b: true, next: { $ref: '#' } } }, true],
        },
      },
    },
    valid: [{ a: 1 }, { a: 1, b: 1 }, { b: 1, next: { a: 1 } }],
    invalid: [{ next: { a: 1 } }, { b: 1, next: { c: 1 } }],
  },
  {
    keyword: 'unevaluatedItems',
    schema: { prefixItems: [true], unevaluatedItems: false },
    valid: [[], [1], {}],
    invalid: [[1, 2]],
  },
  { keyword: 'unevaluatedItems', schema: { items: true, unevaluatedItems: false }, valid: [[1, 2]] },
  {
    keyword: 'unevaluatedItems',
    schema: {
      prefixItems: [true],
      allOf: [{ prefixItems: [true, { type: 'number' }] }],
      unevaluatedItems: { const: 'x' },
    },
    valid: [
      ['a', 1],
      ['a', 1, 'x'],
    ],
    invalid: [
      ['a', 'b'],
      ['a', 1, 'y'],
    ],
  },
  {
    keyword: 'unevaluatedItems',
    schema: {
      if: { prefixItems: [true, { const: 1 }] },
      then: { prefixItems: [true, true, true] },
      unevaluatedItems: false,
    },
    valid: [[], [0, 1], [0, 1, 2]],
    invalid: [
      [0, 2],
      [0, 1, 2, 3],
    ],
  },
  {
    keyword: 'unevaluatedItems',
    schema: { contains: { type: 'string' }, unevaluatedItems: { type: 'number' } },
    valid: [['a', 1], ['a']],
    invalid: [[1], ['a', true]],
  },
  {
    keyword: 'contentSchema',
    schema: { contentMediaType: 'application/json', contentSchema: { type: 'object' } },
    valid: ['[1]'],
  },
]

/** Cases of draft-07 alone. */
export const DRAFT_07: readonly Case[] = [
  {
    keyword: 'items',
    schema: { items: [{ type: 'integer' }, { type: 'string' }] },
    valid: [[], [1], [1, 'a', null], {}],
    invalid: [['a'], [1, 2]],
  },
  {
    keyword: 'additionalItems',
    schema: { items: [{}, {}], additionalItems: { type: 'integer' } },
    valid: [
      ['a', 'b'],
      ['a', 'b', 3],
    ],
    invalid: [['a', 'b', 'c']],
  },
  { keyword: 'additionalItems', schema: { items: [{}], additionalItems: false }, valid: [[], [1]], invalid: [[1, 2]] },
  { keyword: 'additionalItems', schema: { items: {}, additionalItems: false }, valid: [[1, 2]] },
  { keyword: 'additionalItems', schema: { additionalItems: false }, valid: [[1, 2]] },
  {
    keyword: 'dependencies',
    schema: { dependencies: { a: ['b'], c: { properties: { d: { type: 'integer' } } }, e: [], f: false } },
    valid: [{}, { a: 1, b: 1 }, { d: 'x' }, { c: 1, d: 1 }, { e: 1 }, ['a']],
    invalid: [{ a: 1 }, { c: 1, d: 'x' }, { f: 1 }],
  },
  { keyword: 'dependencies', schema: { dependencies: { a: 'b' } }, refused: 'META_SCHEMA' },
  {
    keyword: '$ref',
    schema: {
      properties: { a: { $ref: '#/definitions/a', maxItems: 1, type: 'string' } },
      definitions: { a: { type: 'array' } },
    },
    valid: [{ a: [] }, { a: [1, 2] }],
    invalid: [{ a: 'x' }],
  },
  {
    keyword: '$id',
    schema: { $ref: '#foo', definitions: { a: { $id: '#foo', type: 'integer' } } },
    valid: [1],
    invalid: ['a'],
  },
  {
    keyword: 'a keyword of later drafts',
    schema: { dependentRequired: { a: ['b'] }, dependentSchemas: { a: false }, unevaluatedProperties: false },
    valid: [{ a: 1 }],
  },
  {
    keyword: 'a keyword of later drafts',
    schema: { contains: { const: 1 }, minContains: 2, unevaluatedItems: false },
    valid: [[1, 2]],
  },
  { keyword: 'a keyword of later drafts', schema: { $dynamicRef: '#nowhere', $anchor: 5 }, valid: OTHERS },
  { keyword: 'prefixItems', schema: { prefixItems: [{}] }, refused: 'KEYWORD' },
]
