import { isRecord } from '../json/is-record.js'
import type { Dialect } from './json-schema.js'
import { TYPES } from './kinds.js'

/** The valid values of a keyword, and their description. */
const SHAPES = {
  anything: [() => true, ''],
  schema: [isSchema, 'must be a schema: an object, true or false'],
  schemas: [isListOfSchemas, 'must be a non-empty list of schemas'],
  items: [(value) => isSchema(value) || isListOfSchemas(value), 'must be a schema or a list of schemas'],
  schemaMap: [isMapOf(isSchema), 'must be an object of schemas'],
  dependencies: [
    isMapOf((value) => isSchema(value) || isNames(value)),
    'must be an object of schemas or lists of names',
  ],
  names: [isNames, 'must be a list of different strings'],
  nameLists: [isMapOf(isNames), 'must be an object of lists of different strings'],
  number: [Number.isFinite, 'must be a number'],
  divisor: [(value) => Number.isFinite(value) && (value as number) > 0, 'must be a number above 0'],
  count: [(value) => Number.isInteger(value) && (value as number) >= 0, 'must be a non-negative integer'],
  flag: [(value) => typeof value === 'boolean', 'must be true or false'],
  text: [(value) => typeof value === 'string', 'must be a string'],
  list: [Array.isArray, 'must be a list'],
  type: [isType, `must be one of ${Object.keys(TYPES).join(', ')}, or a list of different ones`],
} as const satisfies Record<string, readonly [test: (value: unknown) => boolean, message: string]>

type Shape = keyof typeof SHAPES

/** Whether a subschema applies to the same value as its parent, to a value inside it, or to none by itself. */
export type Location = 'same' | 'inside' | 'definition'

export interface Keyword {
  readonly takes: Shape
  /** For keywords that hold schemas. */
  readonly location?: Location
  /** True for a keyword that draft-07 does not have. */
  readonly later?: boolean
}

/** Keywords of JSON Schema by what they take; all others are ignored. */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ...all({ takes: 'text' }, '$schema', '$id', '$ref', '$comment', 'title', 'description', 'pattern', 'format'),
  ...all({ takes: 'text' }, 'contentEncoding', 'contentMediaType'),
  ...all({ takes: 'text', later: true }, '$anchor', '$dynamicAnchor', '$dynamicRef'),
  ...all({ takes: 'flag' }, 'readOnly', 'writeOnly', 'uniqueItems'),
  ...all({ takes: 'flag', later: true }, 'deprecated'),
  ...all({ takes: 'anything' }, 'default', 'const'),
  ...all({ takes: 'list' }, 'examples', 'enum'),
  ...all({ takes: 'type' }, 'type'),
  ...all({ takes: 'number' }, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...all({ takes: 'divisor' }, 'multipleOf'),
  ...all({ takes: 'count' }, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...all({ takes: 'count', later: true }, 'minContains', 'maxContains'),
  ...all({ takes: 'names' }, 'required'),
  ...all({ takes: 'nameLists', later: true }, 'dependentRequired'),
  ...all({ takes: 'schemaMap', location: 'definition' }, '$defs', 'definitions'),
  ...all({ takes: 'schema', location: 'definition', later: true }, 'contentSchema'),
  ...all({ takes: 'schema', location: 'same' }, 'not', 'if', 'then', 'else'),
  ...all({ takes: 'schemas', location: 'same' }, 'allOf', 'anyOf', 'oneOf'),
  ...all({ takes: 'schemaMap', location: 'same', later: true }, 'dependentSchemas'),
  ...all({ takes: 'dependencies', location: 'same' }, 'dependencies'),
  ...all({ takes: 'schemaMap', location: 'inside' }, 'properties', 'patternProperties'),
  ...all(
    { takes: 'schema', location: 'inside' },
    'additionalProperties',
    'propertyNames',
    'additionalItems',
    'contains',
  ),
  ...all({ takes: 'schema', location: 'inside', later: true }, 'unevaluatedProperties', 'unevaluatedItems'),
  ...all({ takes: 'schemas', location: 'inside', later: true }, 'prefixItems'),
  ...all({ takes: 'items', location: 'inside' }, 'items'),
])

function all(keyword: Keyword, ...names: readonly string[]): (readonly [string, Keyword])[] {
  return names.map((name) => [name, keyword])
}

/** The keyword with a name, or `undefined` for a name without meaning in the dialect. */
export function keywordOf(name: string, dialect: Dialect): Keyword | undefined {
  const keyword = KEYWORDS.get(name)
  return keyword?.later && dialect === 'draft-07' ? undefined : keyword
}

/** The problem with the value of a keyword; `undefined` if it is valid. */
export function shapeProblem({ takes }: Keyword, value: unknown): string | undefined {
  const [test, message] = SHAPES[takes]
  return test(value) ? undefined : message
}

function isSchema(value: unknown): boolean {
  return isRecord(value) || typeof value === 'boolean'
}

function isListOfSchemas(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema)
}

function isMapOf(test: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => isRecord(value) && Object.values(value).every(test)
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') && areDifferent(value)
}

function isType(value: unknown): boolean {
  const types = [value].flat()
  return types.length > 0 && types.every((type) => Object.hasOwn(TYPES, String(type))) && areDifferent(types)
}

function areDifferent(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}
