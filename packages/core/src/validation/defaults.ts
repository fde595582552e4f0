import { coreError } from '../errors/codes.js'
import { copyJson, MAX_RECORD_DEPTH } from '../json/copy-json.js'
import { getOwn } from '../json/get-own.js'
import { isRecord } from '../json/is-record.js'
import { setOwn } from '../json/set-own.js'
import type { Matchers } from './assertions.js'
import { type Normalized, targetOf } from './normalize.js'
import type { SchemaObject } from './subschemas.js'

/** Defaults can refer to one another through `$ref`; more values than this mean infinite recursion. */
const MAX_VISITS = 100_000

interface Context {
  readonly root: Normalized
  readonly matchers: Matchers
  visits: number
}

/**
 * Creates the function that fills in a schema's defaults. It follows `properties`, `patternProperties`,
 * `additionalProperties`, items, `allOf` and references, but not `anyOf`, `oneOf` or `if`, where the branch is not
 * known. `null` is a value and gets no default.
 */
export function defaultsOf(root: Normalized, matchers: Matchers): (value: unknown) => unknown {
  if (!holdsDefault(root)) return (value) => (value === undefined ? undefined : copyJson(value, 'The value'))
  return (value) => {
    const copy = value === undefined ? undefined : copyJson(value, 'The value')
    return complete(root, copy, { root, matchers, visits: 0 }, 0)
  }
}

/** False only for a schema without defaults, such as those of most inputs. */
function holdsDefault(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(holdsDefault)
  if (!isRecord(schema)) return false
  return Object.hasOwn(schema, 'default') || Object.values(schema).some(holdsDefault)
}

/** `value` is already our copy: objects and lists are completed in place. */
function complete(schema: unknown, value: unknown, context: Context, depth: number): unknown {
  if (!isRecord(schema)) return value
  if (depth > MAX_RECORD_DEPTH || ++context.visits > MAX_VISITS) {
    throw coreError('INVALID_SCHEMA', 'The defaults of the schema never end: each one adds another.')
  }
  let result = value
  if (result === undefined && Object.hasOwn(schema, 'default')) result = copyJson(schema.default)
  for (const part of [targetOf(context.root, schema.$ref), ...list(schema, 'allOf')]) {
    result = complete(part, result, context, depth)
  }
  if (Array.isArray(result)) completeItems(schema, result, context, depth)
  else if (isRecord(result)) completeProperties(schema, result, context, depth)
  return result
}

function completeProperties(schema: SchemaObject, value: SchemaObject, context: Context, depth: number): void {
  const known = map(schema, 'properties')
  for (const key of Object.keys(known)) {
    const completed = complete(known[key], getOwn(value, key), context, depth + 1)
    if (completed !== undefined) setOwn<unknown>(value, key, completed)
  }
  const patterns = Object.entries(map(schema, 'patternProperties'))
  const additional = getOwn(schema, 'additionalProperties')
  if (patterns.length === 0 && !isRecord(additional)) return
  for (const key of Object.keys(value)) {
    const matching = patterns.filter(([source]) => context.matchers.pattern(source).test(key)).map(([, part]) => part)
    const parts = matching.length > 0 || Object.hasOwn(known, key) ? matching : [additional]
    for (const part of parts) setOwn(value, key, complete(part, value[key], context, depth + 1))
  }
}

function completeItems(schema: SchemaObject, value: unknown[], context: Context, depth: number): void {
  const first = list(schema, 'prefixItems')
  const rest = getOwn(schema, 'items')
  for (let index = 0; index < value.length; index++) {
    value[index] = complete(index < first.length ? first[index] : rest, value[index], context, depth + 1)
  }
}

function list(schema: SchemaObject, keyword: string): readonly unknown[] {
  return (getOwn(schema, keyword) as unknown[] | undefined) ?? []
}

function map(schema: SchemaObject, keyword: string): SchemaObject {
  return (getOwn(schema, keyword) as SchemaObject | undefined) ?? {}
}
