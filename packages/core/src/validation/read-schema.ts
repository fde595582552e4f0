import { coreError } from '../errors/codes.js'
import { messageOf } from '../errors/message-of.js'
import { isMinionsError } from '../errors/minions-error.js'
import { copyJson } from '../json/copy-json.js'
import { deepFreeze } from '../json/deep-freeze.js'
import { isRecord } from '../json/is-record.js'
import { pointerTo } from '../json/pointer.js'
import { misshapenKeywords, uncheckedKeywords } from './accepted.js'
import { expansionProblem } from './expansion.js'
import type { Issue } from './issue.js'
import { type JsonSchema, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, namedDialect } from './json-schema.js'
import { type Normalized, normalize } from './normalize.js'
import { References } from './references.js'
import { type SchemaIssueCode, unusableSchema } from './schema-issue.js'
import { type SchemaObject, subschemas } from './subschemas.js'

/** Options for reading a schema. */
export interface SchemaOptions {
  /** False for formats that are only annotations and not checked. Default: true. */
  readonly assertFormats?: boolean
  /** True for a schema of the program itself: of any size, with patterns that take any time. Default: false. */
  readonly trusted?: boolean
}

const MOST_ISSUES = 20

/** A plain frozen copy of a schema, and its JSON. Throws `INVALID_SCHEMA`. */
export function copySchema(input: unknown, { trusted = false }: SchemaOptions): { schema: JsonSchema; text: string } {
  try {
    if (!isRecord(input)) throw refusal('TYPE', 'must be an object')
    copyJson(input)
    const text = JSON.stringify(input)
    // A copy that keeps the order of properties, as the issues of a value will have it.
    const schema: SchemaObject = JSON.parse(text)
    const deep = trusted ? undefined : tooDeep(schema, '', 1)
    if (deep !== undefined) throw refusal('DEPTH', `is nested deeper than ${MAX_SCHEMA_DEPTH} levels`, deep)
    if (text.length > MAX_SCHEMA_BYTES && !trusted) throw refusal('SIZE', `is larger than ${MAX_SCHEMA_BYTES} bytes`)
    const unwritten = unwrittenRule(input, '')
    if (unwritten !== undefined) {
      throw refusal('KEYWORD', 'has a refinement or a codec of TypeBox, which JSON Schema cannot express', unwritten)
    }
    return { schema: deepFreeze(schema), text }
  } catch (error) {
    if (coreError.is(error, 'INVALID_SCHEMA')) throw error
    if (!isMinionsError(error)) throw refusal('JSON', 'must be plain data; reading it failed')
    const [{ message }] = error.details.errors as [Issue]
    throw refusal('JSON', message, String(error.details.pointer))
  }
}

/** Checks a schema against its draft and our limits, and normalizes it. Throws `INVALID_SCHEMA`. */
export function readSchema(schema: JsonSchema, { assertFormats = true, trusted = false }: SchemaOptions): Normalized {
  const isNamed = Object.hasOwn(schema, '$schema')
  const dialect = isNamed ? namedDialect(schema.$schema) : '2020-12'
  if (dialect === undefined) throw refusal('DIALECT', 'must name draft 2020-12 or draft-07, or be left out', '/$schema')
  try {
    const references = new References(schema, dialect)
    const { all } = references
    const misshapen = all.flatMap((part) => misshapenKeywords(part, dialect, isNamed))
    if (misshapen.length > 0) throw unusableSchema(misshapen.slice(0, MOST_ISSUES))
    const issues = [...references.issues, ...all.flatMap((part) => uncheckedKeywords(part, dialect, trusted))]
    if (issues.length > 0) throw unusableSchema(issues.slice(0, MOST_ISSUES))
    const normalized = normalize(schema, references, { dialect, assertFormats })
    const expansion = expansionProblem(normalized)
    if (expansion !== undefined) throw refusal('RECURSION', expansion)
    return normalized
  } catch (error) {
    if (coreError.is(error, 'INVALID_SCHEMA')) throw error
    if (error instanceof RangeError) throw refusal('UNUSABLE', 'has references that are nested too deeply')
    throw refusal('UNUSABLE', `cannot be used: ${messageOf(error)}`)
  }
}

function refusal(code: SchemaIssueCode, message: string, pointer = ''): Error {
  return unusableSchema([{ pointer, code, message }])
}

function tooDeep(value: unknown, pointer: string, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_SCHEMA_DEPTH) return pointer
  for (const [key, child] of Object.entries(value)) {
    const found = tooDeep(child, pointerTo(pointer, key), depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The path to a rule in code within a TypeBox schema, which copying does not see. */
function unwrittenRule(schema: SchemaObject, pointer: string): string | undefined {
  const marks = Reflect.ownKeys(schema).map((key) => (typeof key === 'symbol' ? key.description : key))
  if (['~refine', '~codec', 'TypeBox.Transform'].some((mark) => marks.includes(mark))) return pointer
  for (const child of subschemas(schema, pointer, '2020-12')) {
    const found = unwrittenRule(child.schema, child.pointer)
    if (found !== undefined) return found
  }
  return undefined
}
