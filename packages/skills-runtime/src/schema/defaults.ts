import { compilePattern, copyJson, MAX_RECORD_DEPTH, setOwn } from '@minions/core'
import { skillsError } from '../errors.js'
import { isRecord, own } from '../validation.js'
import { type Normalized, targetOf } from './normalize.js'

/** Defaults can refer to one another through `$ref`; more values than this are a schema that never ends. */
const MAX_VISITS = 100_000

type Schema = Record<string, unknown>

interface Run {
  readonly root: Normalized
  visits: number
}

/**
 * Makes the function that fills in a schema's defaults. It follows `properties`, `patternProperties`,
 * `additionalProperties`, items, `allOf` and references, but no `anyOf`, `oneOf` or `if`, where it is not known
 * which branch holds. `null` is a value and gets no default.
 */
export function defaultsOf(root: Normalized): (value: unknown) => unknown {
  return (value) => {
    const copy = value === undefined ? undefined : copyJson(value, 'The value')
    return complete(root, copy, { root, visits: 0 }, 0)
  }
}

/** `value` is ours already: it is completed in place where it is an object or a list. */
function complete(schema: unknown, value: unknown, run: Run, depth: number): unknown {
  if (!isRecord(schema)) return value
  if (depth > MAX_RECORD_DEPTH || ++run.visits > MAX_VISITS) {
    throw skillsError('INVALID_SCHEMA', 'The defaults of the schema never end: each one brings in another.')
  }
  let result = value
  if (result === undefined && Object.hasOwn(schema, 'default')) result = copyJson(schema.default)
  for (const part of samePlace(schema, run)) result = complete(part, result, run, depth)
  if (Array.isArray(result)) completeItems(schema, result, run, depth)
  else if (isRecord(result)) completeProperties(schema, result, run, depth)
  return result
}

/** The schemas that hold for the same value whatever it is. The check for endless references was made before. */
function samePlace(schema: Schema, run: Run): unknown[] {
  const target = targetOf(run.root, schema)
  if (target !== undefined) return [target]
  const allOf = own(schema, 'allOf')
  return Array.isArray(allOf) ? allOf : []
}

function completeProperties(schema: Schema, value: Schema, run: Run, depth: number): void {
  const properties = own(schema, 'properties')
  const known = isRecord(properties) ? properties : {}
  for (const key of Object.keys(known)) {
    const completed = complete(known[key], own(value, key), run, depth + 1)
    if (completed !== undefined) setOwn<unknown>(value, key, completed)
  }
  const patterns = own(schema, 'patternProperties')
  const additional = own(schema, 'additionalProperties')
  if (!isRecord(patterns) && !isRecord(additional)) return
  const matchers = Object.entries(isRecord(patterns) ? patterns : {}).map(
    ([source, part]) => [compilePattern(source), part] as const,
  )
  for (const key of Object.keys(value)) {
    const matching = matchers.filter(([pattern]) => pattern.test(key)).map(([, part]) => part)
    const parts = matching.length > 0 || Object.hasOwn(known, key) ? matching : [additional]
    for (const part of parts) setOwn<unknown>(value, key, complete(part, value[key], run, depth + 1))
  }
}

function completeItems(schema: Schema, value: unknown[], run: Run, depth: number): void {
  const items = own(schema, 'items')
  const tuple = Array.isArray(items) ? items : own(schema, 'prefixItems')
  const first = Array.isArray(tuple) ? tuple : []
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items
  for (let index = 0; index < value.length; index++) {
    value[index] = complete(index < first.length ? first[index] : rest, value[index], run, depth + 1)
  }
}
