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

/** Keywords of JSON Schema; all others are ignored. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  $schema: { takes: 'text' },
  $id: { takes: 'text' },
  $ref: { takes: 'text' },
  $anchor: { takes: 'text', later: true },
  $dynamicAnchor: { takes: 'text', later: true },
  $dynamicRef: { takes: 'text', later: true },
  $comment: { takes: 'text' },
  $defs: { takes: 'schemaMap', location: 'definition' },
  definitions: { takes: 'schemaMap', location: 'definition' },
  title: { takes: 'text' },
  description: { takes: 'text' },
  default: { takes: 'anything' },
  examples: { takes: 'list' },
  readOnly: { takes: 'flag' },
  writeOnly: { takes: 'flag' },
  deprecated: { takes: 'flag', later: true },
  contentEncoding: { takes: 'text' },
  contentMediaType: { takes: 'text' },
  contentSchema: { takes: 'schema', location: 'definition', later: true },
  type: { takes: 'type' },
  enum: { takes: 'list' },
  const: { takes: 'anything' },
  minimum: { takes: 'number' },
  maximum: { takes: 'number' },
  exclusiveMinimum: { takes: 'number' },
  exclusiveMaximum: { takes: 'number' },
  multipleOf: { takes: 'divisor' },
  minLength: { takes: 'count' },
  maxLength: { takes: 'count' },
  pattern: { takes: 'text' },
  format: { takes: 'text' },
  minItems: { takes: 'count' },
  maxItems: { takes: 'count' },
  uniqueItems: { takes: 'flag' },
  minContains: { takes: 'count', later: true },
  maxContains: { takes: 'count', later: true },
  minProperties: { takes: 'count' },
  maxProperties: { takes: 'count' },
  required: { takes: 'names' },
  dependentRequired: { takes: 'nameLists', later: true },
  allOf: { takes: 'schemas', location: 'same' },
  anyOf: { takes: 'schemas', location: 'same' },
  oneOf: { takes: 'schemas', location: 'same' },
  not: { takes: 'schema', location: 'same' },
  if: { takes: 'schema', location: 'same' },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema; nothing awaits this table
  then: { takes: 'schema', location: 'same' },
  else: { takes: 'schema', location: 'same' },
  dependentSchemas: { takes: 'schemaMap', location: 'same', later: true },
  dependencies: { takes: 'dependencies', location: 'same' },
  properties: { takes: 'schemaMap', location: 'inside' },
  patternProperties: { takes: 'schemaMap', location: 'inside' },
  additionalProperties: { takes: 'schema', location: 'inside' },
  unevaluatedProperties: { takes: 'schema', location: 'inside', later: true },
  propertyNames: { takes: 'schema', location: 'inside' },
  prefixItems: { takes: 'schemas', location: 'inside', later: true },
  items: { takes: 'items', location: 'inside' },
  additionalItems: { takes: 'schema', location: 'inside' },
  unevaluatedItems: { takes: 'schema', location: 'inside', later: true },
  contains: { takes: 'schema', location: 'inside' },
}

/** The keyword with a name, or `undefined` for a name without meaning in the dialect. */
export function keywordOf(name: string, dialect: Dialect): Keyword | undefined {
  const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined
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
