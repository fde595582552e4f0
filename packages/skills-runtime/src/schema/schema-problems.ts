import { copyJson, isMinionsError, pointerTo } from '@minions/core'
import { deepFreeze, isRecord, own, type ValidationIssue } from '../validation.js'
import { unacceptedKeywords } from './accepted.js'
import { compileWithAjv, type FindErrors, metaSchemaErrors } from './ajv.js'
import { defaultsOf } from './defaults.js'
import { expansionProblem } from './expansion.js'
import { type Dialect, type JsonSchema, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, namedDialect } from './json-schema.js'
import { normalize } from './normalize.js'
import type { SchemaProblem } from './problem.js'
import { References } from './references.js'
import { allSubschemas, type Subschema } from './subschemas.js'

/** A schema that can be used: a plain frozen copy, its compiled validator and the function that fills in defaults. */
interface UsableSchema {
  readonly schema: JsonSchema
  readonly dialect: Dialect
  readonly findErrors: FindErrors
  readonly complete: (value: unknown) => unknown
  readonly problems?: never
}

/** The outcome of reading a schema: something usable, or the problems that prevent its use. */
export type SchemaReading = UsableSchema | { readonly problems: readonly SchemaProblem[] }

const MAX_PROBLEMS = 20
const CACHE_SIZE = 500
const cache = new Map<string, SchemaReading>()

/** Everything that is wrong with a JSON Schema; empty when it can be used. Never throws. */
export function schemaProblems(schema: unknown): readonly SchemaProblem[] {
  return readSchema(schema).problems ?? []
}

/** Copies a schema, checks it against its meta-schema and our limits, and compiles it. Equal schemas are read once. */
export function readSchema(input: unknown): SchemaReading {
  const copied = copySchema(input)
  if (copied.problems !== undefined) return copied
  const { schema, text } = copied
  const known = cache.get(text)
  if (known !== undefined) return known
  const reading = checkSchema(schema)
  if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value as string)
  cache.set(text, reading)
  return reading
}

function checkSchema(schema: Record<string, unknown>): SchemaReading {
  const dialect = dialectOf(schema)
  if (dialect === undefined) {
    return refuse('DIALECT', '"$schema" must name draft 2020-12 or draft-07, or be left out.', '/$schema')
  }
  const meta = metaProblems({ schema, pointer: '' }, dialect)
  if (meta.length > 0) return { problems: meta }
  try {
    const references = new References(schema, dialect)
    const problems = [
      ...references.foundByReference.flatMap((part) => metaProblems(part, dialect)),
      ...references.problems,
      ...unacceptedKeywords(references, dialect),
    ]
    if (problems.length > 0) return { problems: problems.slice(0, MAX_PROBLEMS) }
    const normalized = normalize(schema, references, dialect)
    const expansion = expansionProblem(normalized)
    if (expansion !== undefined) return refuse('RECURSION', `The schema ${expansion}.`, '')
    const complete = defaultsOf(normalized)
    complete({})
    return { schema, dialect, findErrors: compileWithAjv(normalized, dialect), complete }
  } catch (error) {
    const why = error instanceof RangeError ? 'its references are nested too deeply.' : (error as Error).message
    return refuse('UNUSABLE', `The schema cannot be used: ${why}`, '')
  }
}

/** The problems of a schema as issues of the attribute that holds it. */
export function schemaIssues(field: string, schema: unknown): ValidationIssue[] {
  return schemaProblems(schema).map(({ code, message, pointer }) => ({
    field,
    code: `SCHEMA_${code}`,
    message: `"${field}" is not a usable JSON Schema: ${message}`,
    pointer: pointerTo('', field) + pointer,
  }))
}

type CopiedSchema =
  | { readonly schema: Record<string, unknown>; readonly text: string; readonly problems?: never }
  | { readonly problems: readonly SchemaProblem[] }

/** A plain copy of a schema, or what is wrong with it. TypeBox keeps its own marks where copying does not look. */
function copySchema(input: unknown): CopiedSchema {
  if (!isRecord(input)) return refuse('TYPE', 'it must be an object.', '')
  try {
    const schema = copyJson(input, 'The schema')
    const deep = tooDeep(schema, '', 1)
    if (deep !== undefined) return refuse('DEPTH', `it is nested deeper than ${MAX_SCHEMA_DEPTH} levels.`, deep)
    const text = JSON.stringify(schema)
    if (text.length > MAX_SCHEMA_BYTES) return refuse('SIZE', `it is larger than ${MAX_SCHEMA_BYTES} bytes.`, '')
    return { schema: deepFreeze(schema), text }
  } catch (error) {
    if (!isMinionsError(error)) return refuse('JSON', 'it must be plain data; reading it failed.', '')
    return refuse('JSON', error.message, String(error.details.pointer ?? ''))
  }
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

function dialectOf(schema: Record<string, unknown>): Dialect | undefined {
  if (Object.hasOwn(schema, '$schema')) return namedDialect(schema.$schema)
  const olderTuples = allSubschemas(schema).some(({ schema: part }) => Array.isArray(own(part, 'items')))
  return olderTuples ? '2019-09' : '2020-12'
}

/** What the meta-schema says of a part, one problem for each location: it says the same thing several times over. */
function metaProblems(part: Pick<Subschema, 'schema' | 'pointer'>, dialect: Dialect): SchemaProblem[] {
  const problems = new Map<string, SchemaProblem>()
  for (const { instancePath, message = 'is not valid' } of metaSchemaErrors(part.schema, dialect)) {
    const pointer = part.pointer + instancePath
    if (problems.has(pointer) || problems.size >= MAX_PROBLEMS) continue
    problems.set(pointer, { code: 'META_SCHEMA', message: `${pointer || 'The schema'} ${message}.`, pointer })
  }
  return [...problems.values()]
}

function refuse(code: string, message: string, pointer: string): { readonly problems: readonly SchemaProblem[] } {
  return { problems: [{ code, message, pointer }] }
}
