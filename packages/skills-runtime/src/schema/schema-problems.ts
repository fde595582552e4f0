import { copyJson, isMinionsError, patternProblem, pointerTo } from '@minions/core'
import type { ErrorObject } from 'ajv'
import { deepFreeze, isRecord, own, type ValidationIssue } from '../validation.js'
import { compileWithAjv, metaSchemaErrors } from './ajv.js'
import { backtrackingProblem } from './backtracking.js'
import { defaultsOf } from './defaults.js'
import { SCHEMA_FORMATS } from './formats.js'
import { type Dialect, type JsonSchema, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, namedDialect } from './json-schema.js'
import { expansionProblem } from './references.js'
import { allSubschemas } from './subschemas.js'

/** One reason why a schema cannot be used, and where in it. */
export interface SchemaProblem {
  readonly code: string
  readonly message: string
  /** JSON Pointer into the schema. */
  readonly pointer: string
}

/** A schema that can be used: a plain frozen copy, its compiled validator and the function that fills in defaults. */
interface UsableSchema {
  readonly schema: JsonSchema
  readonly dialect: Dialect
  readonly validate: ReturnType<typeof compileWithAjv>
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
  const all = allSubschemas(schema)
  const dialect = dialectOf(
    schema,
    all.some(({ schema: part }) => Array.isArray(own(part, 'items'))),
  )
  if (dialect === undefined) {
    return refuse('DIALECT', '"$schema" must name draft 2020-12 or draft-07, or be left out.', '/$schema')
  }
  const meta = metaSchemaErrors(schema, dialect)
  if (meta.length > 0) return { problems: metaProblems(meta) }
  const problems = all.flatMap(({ schema: part, pointer }) => keywordProblems(part, pointer, dialect))
  if (problems.length > 0) return { problems }
  const expansion = expansionProblem(schema)
  if (expansion !== undefined) return refuse('RECURSION', `The schema ${expansion}.`, '')
  try {
    const complete = defaultsOf(schema)
    complete({})
    return { schema, dialect, validate: compileWithAjv(schema, dialect), complete }
  } catch (error) {
    return refuse('UNUSABLE', `The schema cannot be used: ${(error as Error).message}`, '')
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

function dialectOf(schema: Record<string, unknown>, olderTuples: boolean): Dialect | undefined {
  if (Object.hasOwn(schema, '$schema')) return namedDialect(schema.$schema)
  return olderTuples ? '2019-09' : '2020-12'
}

/** One problem for each place: a meta-schema says the same thing several times over. */
function metaProblems(errors: readonly ErrorObject[]): SchemaProblem[] {
  const places = new Map<string, SchemaProblem>()
  for (const { instancePath: pointer, message = 'is not valid' } of errors) {
    if (places.has(pointer) || places.size >= MAX_PROBLEMS) continue
    places.set(pointer, { code: 'META_SCHEMA', message: `${pointer || 'The schema'} ${message}.`, pointer })
  }
  return [...places.values()]
}

function keywordProblems(schema: Record<string, unknown>, pointer: string, dialect: Dialect): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const add = (code: string, message: string, key: string) =>
    problems.push({ code, message: `${pointerTo(pointer, key)} ${message}`, pointer: pointerTo(pointer, key) })

  const format = own(schema, 'format')
  if (typeof format === 'string' && !SCHEMA_FORMATS.includes(format)) {
    add('FORMAT', `is an unknown format; known are ${SCHEMA_FORMATS.join(', ')}.`, 'format')
  }
  const pattern = own(schema, 'pattern')
  if (typeof pattern === 'string') {
    const why = unsafePattern(pattern)
    if (why !== undefined) add('PATTERN', `${why}.`, 'pattern')
  }
  for (const key of Object.keys((own(schema, 'patternProperties') as object | undefined) ?? {})) {
    const why = unsafePattern(key)
    if (why !== undefined) add('PATTERN', `has a pattern that ${why}.`, 'patternProperties')
  }
  // ajv never looks at a property of this name, so a schema that describes one would promise what is not checked.
  if (own((own(schema, 'properties') as object | undefined) ?? {}, '__proto__') !== undefined) {
    add('PROPERTY', 'may not describe "__proto__".', 'properties')
  }
  if (Object.hasOwn(schema, '$async')) add('KEYWORD', 'is not part of JSON Schema.', '$async')
  if (dialect !== '2020-12' && Object.hasOwn(schema, 'prefixItems')) {
    add('KEYWORD', 'cannot be mixed with the older tuple form or draft-07; use one of them.', 'prefixItems')
  }
  return problems
}

function unsafePattern(pattern: string): string | undefined {
  return patternProblem(pattern) ?? backtrackingProblem(pattern)
}

function refuse(code: string, message: string, pointer: string): { readonly problems: readonly SchemaProblem[] } {
  return { problems: [{ code, message, pointer }] }
}
