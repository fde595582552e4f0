import { type CollectionQuery, foldText, words } from '@minions/core'
import type { Doc } from './collections.js'

/**
 * The model that backends are compared with: what a question means, written down as plainly as possible and without
 * any of core's own ways of answering it. Slow, and short enough to be believed.
 */
export function answer(records: readonly Doc[], query: CollectionQuery): Doc[] {
  const order = query.orderBy?.length ? query.orderBy : [{ field: 'createdAt', direction: 'asc' as const }]
  const found = records.filter((record) => holds(query.where ?? {}, record) && hasWords(record, query.text))
  return found.sort((a, b) => {
    for (const { field, direction = 'asc' } of order) {
      const difference = compare(sortable(read(a, field)), sortable(read(b, field)))
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    const difference = compare(a.id, b.id)
    return order.at(-1)?.direction === 'desc' ? -difference : difference
  })
}

/** Whether a condition holds; everything in an object must. */
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

/** The value at a path, letter by letter: a backslash makes the next letter part of the name. */
function read(record: Doc, path: string): unknown {
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
  let value: unknown = record
  for (const wanted of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = Object.entries(value).find(([own]) => own === wanted)?.[1]
  }
  return value
}

/** Lists and objects have no place in an order. */
function sortable(value: unknown): unknown {
  return value === undefined || typeof value === 'object' ? null : value
}

/** Null, false, true, numbers, strings by code point. */
export function compare(a: unknown, b: unknown): number {
  const kinds = ['null', 'false', 'true', 'number', 'string']
  const kind = (value: unknown) =>
    kinds.indexOf(value === null || typeof value === 'boolean' ? String(value) : typeof value)
  if (kind(a) !== kind(b)) return kind(a) - kind(b)
  if (typeof a === 'number') return a - (b as number)
  if (typeof a !== 'string') return 0
  const left = Array.from(a)
  const right = Array.from(b as string)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = codePoint(left, index) - codePoint(right, index)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function codePoint(characters: readonly string[], index: number): number {
  return characters[index]?.codePointAt(0) as number
}

/** What a word is, is core's to say; how words are matched is not. */
function hasWords(record: Doc, text: string | undefined): boolean {
  const own = typeof record.text === 'string' ? words(foldText(record.text)) : []
  return words(foldText(text ?? '')).every((wanted) => own.some((word) => word.startsWith(wanted)))
}
