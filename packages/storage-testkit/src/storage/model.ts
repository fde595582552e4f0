import { getOrInsert } from '@minions/core/json'
import { type CollectionQuery, foldText, words } from '@minions/core/storage'
import type { Doc } from './collections.js'

/**
 * The reference model for backends: the meaning of a query, written as simply as possible and without any of core's own
 * ways of answering it. Slow, but short enough to be trusted.
 */
export function answer(records: readonly Doc[], query: CollectionQuery): Doc[] {
  const order = query.orderBy?.length ? query.orderBy : [{ field: 'createdAt', direction: 'asc' as const }]
  const wanted = words(foldText(query.text ?? ''))
  const found = records.filter((record) => holds(query.where ?? {}, record) && hasWords(record, wanted))
  const sorted = found.map((record) => ({ record, keys: order.map(({ field }) => sortable(read(record, field))) }))
  sorted.sort((a, b) => {
    for (const [index, { direction = 'asc' }] of order.entries()) {
      const difference = compare(a.keys[index], b.keys[index])
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    const difference = compare(a.record.id, b.record.id)
    return order.at(-1)?.direction === 'desc' ? -difference : difference
  })
  return sorted.map(({ record }) => record)
}

/** True if a condition holds; all parts of an object must. */
function holds(where: object, record: Doc): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    if (name === 'and') return (wanted as object[]).every((part) => holds(part, record))
    if (name === 'or') return (wanted as object[]).some((part) => holds(part, record))
    if (name === 'not') return !holds(wanted as object, record)
    const value = read(record, name) ?? null
    if (wanted === null || typeof wanted !== 'object') return equal(value, wanted)
    return Object.entries(wanted).every(([operator, argument]) => compares(operator, value, argument))
  })
}

function compares(operator: string, value: unknown, argument: unknown): boolean {
  switch (operator) {
    case 'eq':
      return equal(value, argument)
    case 'ne':
      return argument === null ? value !== null : sameType(value, argument) && !equal(value, argument)
    case 'in':
      return (argument as unknown[]).some((element) => equal(value, element))
    case 'isNull':
      return (value === null) === argument
    case 'contains':
      return Array.isArray(value) && value.some((element) => equal(element, argument))
    case 'gt':
      return sameType(value, argument) && compare(value, argument) > 0
    case 'gte':
      return sameType(value, argument) && compare(value, argument) >= 0
    case 'lt':
      return sameType(value, argument) && compare(value, argument) < 0
    case 'lte':
      return sameType(value, argument) && compare(value, argument) <= 0
    default:
      throw new Error(`The model does not know ${operator}.`)
  }
}

function equal(a: unknown, b: unknown): boolean {
  return a === b && (a === null || typeof a !== 'object')
}

function sameType(a: unknown, b: unknown): boolean {
  return a !== null && typeof a === typeof b && typeof a !== 'object'
}

function read(record: Doc, path: string): unknown {
  let value: unknown = record
  for (const name of namesIn(path)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = Object.hasOwn(value, name) ? (value as Doc)[name] : undefined
  }
  return value
}

const pathsRead = new Map<string, string[]>()

/** The names in a path, character by character: a backslash makes the next character part of the name. */
function namesIn(path: string): string[] {
  const known = pathsRead.get(path)
  if (known) return known
  const names: string[] = []
  let name = ''
  for (let index = 0; index < path.length; index++) {
    if (path[index] === '.') {
      names.push(name)
      name = ''
    } else {
      if (path[index] === '\\') index += 1
      name += path[index]
    }
  }
  names.push(name)
  pathsRead.set(path, names)
  return names
}

/** Lists and objects cannot be ordered. */
function sortable(value: unknown): unknown {
  return value === undefined || typeof value === 'object' ? null : value
}

function kind(value: unknown): number {
  if (value === null) return 0
  if (typeof value === 'boolean') return value ? 2 : 1
  return typeof value === 'number' ? 3 : 4
}

/** Null, false, true, numbers, strings by code point. */
export function compare(a: unknown, b: unknown): number {
  const difference = kind(a) - kind(b)
  if (difference !== 0) return difference
  if (typeof a === 'number') return a - (b as number)
  if (typeof a !== 'string') return 0
  return compareCodePoints(a, b as string)
}

function compareCodePoints(a: string, b: string): number {
  for (let index = 0; ; ) {
    const left = a.codePointAt(index) ?? -1
    const right = b.codePointAt(index) ?? -1
    if (left !== right) return left - right
    if (left < 0) return 0
    index += left > 0xffff ? 2 : 1
  }
}

const wordsOf = new WeakMap<Doc, string[]>()

/** Core defines what a word is; the model defines how words are matched. */
function hasWords(record: Doc, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  const own = getOrInsert(wordsOf, record, () => (typeof record.text === 'string' ? words(foldText(record.text)) : []))
  return wanted.every((word) => own.some((other) => other.startsWith(word)))
}
