import { ID_PATTERN, ID_RULE } from '../ids.js'
import { canonicalJson } from '../json/canonical.js'
import { jsonProblem } from '../json/copy-json.js'
import { jsonEqual } from '../json/equal.js'
import type { JsonValue } from '../json/json-value.js'
import { isStorable } from '../json/storable.js'
import { CANONICAL_TIMESTAMP_PATTERN, TIMESTAMP_PATTERN, TIMESTAMP_RULE } from '../schemas/timestamp.js'
import type { Format } from './formats.js'
import { type Kind, TYPES } from './kinds.js'
import { isMultipleOf } from './multiple-of.js'

/** The meaning of patterns and formats in a schema. */
export interface Matchers {
  pattern(source: string): {
    readonly test: (text: string) => boolean
    /** The longest string that is matched. */
    readonly maxTextLength?: number
    /** The same as a code expression, for patterns of the program itself. */
    readonly code?: (text: string) => string
  }
  format(name: string): Format | undefined
}

/** A rule about a value as a whole. */
export interface Assertion {
  readonly test: (value: never) => boolean
  /** Continues the name of the value. */
  readonly message: string | ((value: never) => string)
  /** Kind of value it applies to, if not to all. */
  readonly on?: Kind | undefined
  /** The test as an expression that is faster than a call; `call` is the call. */
  readonly code?: ((value: string, call: () => string) => string) | undefined
  /** Code of the issue, if not the keyword. */
  readonly as?: string
}

/** Creates the assertion of a keyword; `limit` is known to be valid for the keyword. */
type MakeAssertion = (limit: never, matchers: Matchers) => Assertion | undefined

/** Keywords that are assertions. The last ones are ours: user schemas never have them. */
export const ASSERTIONS: Readonly<Record<string, MakeAssertion>> = {
  type: (type: string | readonly string[]) => {
    const types = [type].flat().map((name) => TYPES[name] ?? NO_TYPE)
    const [only] = types
    return {
      test: only && types.length === 1 ? only.test : (value) => types.some(({ test }) => test(value)),
      code: (v) => `(${types.map(({ code }) => code(v)).join(' || ')})`,
      message: `must be ${types.map(({ words }) => words).join(' or ')}`,
    }
  },
  enum: (choices: readonly unknown[]) => choice(choices, mustBeOneOf(choices)),
  const: (constant: unknown) => choice([constant], `must be ${written(constant)}`),
  minimum: (limit: number) => comparison('>=', limit, (value) => value >= limit, 'at least'),
  maximum: (limit: number) => comparison('<=', limit, (value) => value <= limit, 'at most'),
  exclusiveMinimum: (limit: number) => comparison('>', limit, (value) => value > limit, 'more than'),
  exclusiveMaximum: (limit: number) => comparison('<', limit, (value) => value < limit, 'less than'),
  multipleOf: (divisor: number) => ({
    on: 'number',
    test: (value: number) => isMultipleOf(value, divisor),
    message: `must be a multiple of ${divisor}`,
  }),
  storable: () => ({ on: 'string', test: isStorable, message: 'must not contain U+0000 or a lone surrogate' }),
  format: (name: string, { format }) => {
    const known = format(name)
    return known && { ...known, message: known.message ?? `must have the format "${name}"` }
  },
  minLength: (limit: number) => ({
    on: 'string',
    test: (text: string) => text.length >= 2 * limit || codePoints(text) >= limit,
    code: (v, call) => (limit === 1 ? `${v} !== ''` : `(${v}.length >= ${2 * limit} || ${call()})`),
    message: `must have at least ${counted(limit, 'character')}`,
  }),
  maxLength: (limit: number) => ({
    on: 'string',
    test: (text: string) => text.length <= limit || (text.length <= 2 * limit && codePoints(text) <= limit),
    code: (v, call) => `(${v}.length <= ${limit} || ${call()})`,
    message: `must have at most ${counted(limit, 'character')}`,
  }),
  pattern: (source: string, matchers) => {
    const { test, code, maxTextLength = Number.POSITIVE_INFINITY } = matchers.pattern(source)
    const tooLong = `must have at most ${maxTextLength} characters to be matched against its pattern`
    const rule = PATTERN_RULES.get(source) ?? `must match the pattern ${source}`
    const message = (text: string) => (text.length > maxTextLength ? tooLong : rule)
    return { on: 'string', test, message, code }
  },
  minItems: (limit: number) => size('array', '>=', limit, `must have at least ${counted(limit, 'item')}`),
  maxItems: (limit: number) => size('array', '<=', limit, `must have at most ${counted(limit, 'item')}`),
  uniqueItems: (unique: boolean) =>
    unique ? { on: 'array', test: isUnique, message: 'must not have the same item twice' } : undefined,
  minProperties: (limit: number) => size('object', '>=', limit, `must have at least ${limit} properties`),
  maxProperties: (limit: number) => size('object', '<=', limit, `must have at most ${limit} properties`),
  json: () => ({
    test: (value: unknown) => jsonProblem(value) === undefined,
    message: (value: unknown) => {
      const problem = jsonProblem(value)
      return `is not JSON that can be stored: ${problem?.pointer || 'it'} ${problem?.message}`
    },
  }),
  unusable: ({ as, message }: { as: string; message: string }) => ({ test: () => false, as, message }),
}

/** The requirements of our own patterns. */
const PATTERN_RULES: ReadonlyMap<string, string> = new Map([
  [ID_PATTERN, ID_RULE],
  [TIMESTAMP_PATTERN, TIMESTAMP_RULE],
  [CANONICAL_TIMESTAMP_PATTERN, TIMESTAMP_RULE],
])

/** A type that does not exist; schemas with it are refused earlier. */
const NO_TYPE = { test: () => false, code: () => 'false', words: 'of a known type' }

function comparison(operator: string, limit: number, test: (value: number) => boolean, words: string): Assertion {
  return { on: 'number', test, code: (v) => `${v} ${operator} ${limit}`, message: `must be ${words} ${limit}` }
}

function size(on: 'array' | 'object', operator: '>=' | '<=', limit: number, message: string): Assertion {
  const sizeOf = (value: object) => (Array.isArray(value) ? value : Object.keys(value)).length
  const test = (value: object) => (operator === '>=' ? sizeOf(value) >= limit : sizeOf(value) <= limit)
  return { on, test, message, code: on === 'array' ? (v) => `${v}.length ${operator} ${limit}` : undefined }
}

function choice(choices: readonly unknown[], message: string): Assertion {
  const scalars = new Set(choices.filter((value) => typeof value !== 'object' || value === null))
  const others = choices.filter((value) => !scalars.has(value))
  const short = others.length === 0 && scalars.size <= 8
  return {
    test: (value: unknown) => scalars.has(value) || others.some((other) => jsonEqual(other, value)),
    code: short
      ? (v) => `(${choices.map((value) => `${v} === ${JSON.stringify(value)}`).join(' || ') || 'false'})`
      : undefined,
    message,
  }
}

const MOST_CHOICES = 20

/** Lists the possible values, or the first few if there are many. */
export function mustBeOneOf(choices: readonly unknown[]): string {
  if (choices.length === 0) return 'has no options to choose from'
  const more = choices.length > MOST_CHOICES ? ` or one of ${choices.length - MOST_CHOICES} more` : ''
  return `must be one of ${choices.slice(0, MOST_CHOICES).map(written).join(', ')}${more}`
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Equal items are found by their JSON, because pairwise comparison takes quadratic time. */
function isUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => canonicalJson(item as JsonValue))).size === items.length
}

/** Lengths count code points, as JSON Schema does; a code point has one or two UTF-16 units. */
function codePoints(text: string): number {
  let count = text.length
  for (let index = 0; index + 1 < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) continue
    if ((text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue
    count--
    index++
  }
  return count
}
