import { compilePattern } from '@minions/core'
import { isRecord, own } from '../validation.js'
import type { Dialect } from './json-schema.js'
import { type Normalized, targetOf } from './normalize.js'

type Schema = Record<string, unknown>

/** Tells whether a value is valid against a part of the schema. */
export type Holds = (part: unknown, value: unknown) => boolean

/** The names of the properties, or the indexes of the items, that a schema evaluates in a value valid against it. */
export function evaluatedKeys(root: Normalized, dialect: Dialect, holds: Holds) {
  const collect = (schema: unknown, value: object, keys: Set<string>): void => {
    if (!isRecord(schema)) return
    const inPlace = (part: unknown) => collect(part, value, keys)
    inPlace(targetOf(root, schema))
    if (Array.isArray(value)) addItems(schema, value, keys)
    else addProperties(schema, value, keys)
    for (const part of list(schema, 'allOf')) inPlace(part)
    for (const part of [...list(schema, 'anyOf'), ...list(schema, 'oneOf')]) if (holds(part, value)) inPlace(part)
    for (const [key, part] of [...entries(schema, 'dependentSchemas'), ...entries(schema, 'dependencies')]) {
      if (Object.hasOwn(value, key)) inPlace(part)
    }
    if (!Object.hasOwn(schema, 'if')) return
    const branch = holds(schema.if, value) ? [schema.if, own(schema, 'then')] : [own(schema, 'else')]
    branch.forEach(inPlace)
  }

  const addItems = (schema: Schema, value: readonly unknown[], keys: Set<string>): void => {
    const items = own(schema, 'items')
    const tuple = Array.isArray(items) ? items : list(schema, 'prefixItems')
    const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items
    const all = rest !== undefined || Object.hasOwn(schema, 'unevaluatedItems')
    const contains = dialect === '2020-12' ? own(schema, 'contains') : undefined
    for (const [index, item] of value.entries()) {
      if (all || index < tuple.length || (contains !== undefined && holds(contains, item))) keys.add(String(index))
    }
  }
  return collect
}

function addProperties(schema: Schema, value: object, keys: Set<string>): void {
  const all = Object.hasOwn(schema, 'additionalProperties') || Object.hasOwn(schema, 'unevaluatedProperties')
  const properties = own(schema, 'properties') ?? {}
  const patterns = entries(schema, 'patternProperties').map(([source]) => compilePattern(source))
  for (const key of Object.keys(value)) {
    if (all || Object.hasOwn(properties, key) || patterns.some((pattern) => pattern.test(key))) keys.add(key)
  }
}

function list(schema: Schema, keyword: string): readonly unknown[] {
  const value = own(schema, keyword)
  return Array.isArray(value) ? value : []
}

function entries(schema: Schema, keyword: string): [string, unknown][] {
  const value = own(schema, keyword)
  return isRecord(value) ? Object.entries(value) : []
}
