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
import type { SchemaIssueCode } from './schema-issue.js'
import { type SchemaObject, subschemas } from './subschemas.js'

/** Options for reading a schema. */
export interface SchemaOptions {
  /** False for formats that are only annotations and not checked. Default: true. */
  readonly assertFormats?: boolean
  /** True for a schema of the program itself: of any size, with patterns that take any time. Default: false. */
  readonly trusted?: boolean
}

interface Refused {
  readonly issues: readonly Issue[]
}

/** A plain frozen copy of a schema, and its JSON. */
export interface CopiedSchema {
  readonly schema: JsonSchema
  readonly text: string
  readonly issues?: undefined
}

const MOST_ISSUES = 20

export function copySchema(input: unknown, { trusted = false }: SchemaOptions): CopiedSchema | Refused {
  try {
    if (!isRecord(input)) return refuse('TYPE', 'must be an object')
    copyJson(input)
    const text = JSON.stringify(input)
    // A copy that keeps the order of properties, as the issues of a value will have it.
    const schema: SchemaObject = JSON.parse(text)
    const deep = trusted ? undefined : tooDeep(schema, '', 1)
    if (deep !== undefined) return refuse('DEPTH', `is nested deeper than ${MAX_SCHEMA_DEPTH} levels`, deep)
    if (text.length > MAX_SCHEMA_BYTES && !trusted) return refuse('SIZE', `is larger than ${MAX_SCHEMA_BYTES} bytes`)
    const unwritten = unwrittenRule(input, '')
    if (unwritten !== undefined) {
      return refuse('KEYWORD', 'has a refinement or a codec of TypeBox, which JSON Schema cannot express', unwritten)
    }
    return { schema: deepFreeze(schema), text }
  } catch (error) {
    if (!isMinionsError(error)) return refuse('JSON', 'must be plain data; reading it failed')
    const [{ message }] = error.details.errors as [Issue]
    return refuse('JSON', message, String(error.details.pointer))
  }
}

/** Checks a schema against the rules of its draft and against our limits, and normalizes it. */
export function readSchema(
  schema: JsonSchema,
  { assertFormats = true, trusted = false }: SchemaOptions,
): { readonly normalized: Normalized; readonly issues?: undefined } | Refused {
  const isNamed = Object.hasOwn(schema, '$schema')
  const dialect = isNamed ? namedDialect(schema.$schema) : '2020-12'
  if (dialect === undefined) return refuse('DIALECT', 'must name draft 2020-12 or draft-07, or be left out', '/$schema')
  try {
    const references = new References(schema, dialect)
    const { all } = references
    const misshapen = all.flatMap((part) => misshapenKeywords(part, dialect, isNamed))
    if (misshapen.length > 0) return { issues: misshapen.slice(0, MOST_ISSUES) }
    const issues = [...references.issues, ...all.flatMap((part) => uncheckedKeywords(part, dialect, trusted))]
    if (issues.length > 0) return { issues: issues.slice(0, MOST_ISSUES) }
    const normalized = normalize(schema, references, { dialect, assertFormats })
    const expansion = expansionProblem(normalized)
    return expansion === undefined ? { normalized } : refuse('RECURSION', expansion)
  } catch (error) {
    if (error instanceof RangeError) return refuse('UNUSABLE', 'has references that are nested too deeply')
    return refuse('UNUSABLE', `cannot be used: ${messageOf(error)}`)
  }
}

function refuse(code: SchemaIssueCode, message: string, pointer = ''): Refused {
  return { issues: [{ pointer, code, message }] }
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
