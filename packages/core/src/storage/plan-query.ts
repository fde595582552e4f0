import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { cut } from '../errors/quote.js'
import { jsonProblem } from '../json/copy-json.js'
import { getOrInsert } from '../json/get-or-insert.js'
import { isRecord } from '../json/is-record.js'
import type { JsonScalar } from '../json/json-value.js'
import { isStorable } from '../json/storable.js'
import type { Condition, Operand, OrderTerm, QueryPlan, Selection } from './backend.js'
import type { Collection } from './collection.js'
import { decodeCursor } from './cursor.js'
import type { CollectionDeclaration } from './declaration.js'
import { formatPath, parsePath } from './path.js'
import type { CollectionQuery, Where } from './query.js'
import { searchWords } from './text.js'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 100_000
const MAX_NESTING = 32
const MAX_CONDITIONS = 10_000
const MAX_VALUES = 1_000_000
const MAX_PATH_LENGTH = 10_000

type NonNull = Exclude<JsonScalar, null>

/** Validates a query and fills in defaults. Throws `INVALID_QUERY` or `INVALID_CURSOR`. */
export const planQuery = guarded('A query', planQueryUnchecked, { code: 'INVALID_QUERY' })

function planQueryUnchecked(collection: Collection, query: CollectionQuery): QueryPlan {
  const order = planOrder(collection, query)
  const { where, words } = planSelectionUnchecked(collection, query)
  const keyDirection = order.at(-1)?.direction ?? 'asc'
  const limit = planLimit(query.limit)
  const plan: QueryPlan = where ? { where, words, order, keyDirection, limit } : { words, order, keyDirection, limit }
  if (query.cursor === undefined) return plan
  return { ...plan, after: decodeCursor(query.cursor, collection.name, query, plan) }
}

/** The part of a query that selects records. */
export const planSelection = guarded('A query', planSelectionUnchecked, { code: 'INVALID_QUERY' })

function planSelectionUnchecked(collection: Collection, query: CollectionQuery): Selection {
  const where = query.where === undefined ? undefined : planWhere(collection, query.where, 0)
  const words = planText(collection.declaration, query.text)
  return where === undefined ? { words } : { where, words }
}

function planText(declaration: CollectionDeclaration, text: string | undefined): readonly string[] {
  if (text === undefined) return []
  if (typeof text !== 'string') throw invalid('the text to search must be a string')
  if (declaration.text === null) throw invalid(`the collection "${declaration.name}" has no text to search`)
  return searchWords(text)
}

function planLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalid(`limit must be an integer from 1 to ${MAX_LIMIT}`)
  }
  return limit
}

function planOrder(collection: Collection, { orderBy }: CollectionQuery): readonly OrderTerm[] {
  const { declaration } = collection
  if (orderBy === undefined || (Array.isArray(orderBy) && orderBy.length === 0)) return orderOfCreation(collection)
  if (!Array.isArray(orderBy) || orderBy.length > 8) throw invalid('orderBy must be a list of at most eight fields')
  return orderBy.map((term) => {
    if (typeof term?.field !== 'string') throw invalid('each entry of orderBy needs a field')
    const { direction = 'asc' } = term
    if (direction !== 'asc' && direction !== 'desc') throw invalid('a direction must be "asc" or "desc"')
    const operand = operandAt(collection, term.field)
    if (operand.column !== undefined && declaration.columns[operand.column]?.type === 'strings') {
      throw invalid(`"${term.field}" holds lists, which cannot be sorted by`)
    }
    return { operand, direction }
  })
}

const ordersOfCreation = new WeakMap<Collection, readonly OrderTerm[]>()

function orderOfCreation(collection: Collection): readonly OrderTerm[] {
  let order = ordersOfCreation.get(collection)
  if (order === undefined) {
    const { declaration } = collection
    const created = declaration.columns.find((column) => column.name === declaration.createdAt)
    order = created ? [{ operand: operandAt(collection, created.path), direction: 'asc' }] : []
    ordersOfCreation.set(collection, order)
  }
  return order
}

/** Cache of paths that conditions name repeatedly, by collection. Bounded, since names may come from anywhere. */
const operands = new WeakMap<Collection, Map<string, Operand>>()
const MOST_OPERANDS = 1000
const LONGEST_KNOWN = 200

function operandAt(collection: Collection, text: string): Operand {
  const known = operands.get(collection)
  const operand = known?.get(text)
  if (operand !== undefined) return operand
  const found = findOperand(collection, text)
  if (known === undefined) operands.set(collection, new Map([[text, found]]))
  else if (known.size < MOST_OPERANDS && text.length <= LONGEST_KNOWN) known.set(text, found)
  return found
}

function findOperand({ declaration, names }: Collection, text: string): Operand {
  if (text.length > MAX_PATH_LENGTH) throw invalid(`a path may have at most ${MAX_PATH_LENGTH} characters`)
  const path = parsePath(text)
  if (path.length > 64) throw invalid('a path may have at most 64 names')
  if (jsonProblem(text)) throw invalid('a path contains a character that no record can contain')
  const plain = formatPath(path)
  if (declaration.key.length === 1 && declaration.key[0] === plain) return { path, key: true }
  const column = declaration.columns.findIndex((candidate) => candidate.path === plain)
  if (column >= 0) return { path, column }
  names?.require(path)
  return { path }
}

function planWhere(collection: Collection, where: Where, depth: number): Condition {
  if (depth > MAX_NESTING) throw invalid(`conditions are nested deeper than ${MAX_NESTING} levels`)
  if (!isRecord(where)) throw invalid('a condition must be an object of paths')
  const conditions: Condition[] = []
  for (const name of Object.keys(where)) {
    const value = where[name]
    if (value === undefined) continue
    if (name === 'and' || name === 'or') {
      if (!Array.isArray(value) || value.length > MAX_CONDITIONS) {
        throw invalid(`"${name}" takes a list of at most ${MAX_CONDITIONS} conditions`)
      }
      conditions.push({ op: name, conditions: Array.from(value, (part) => planWhere(collection, part, depth + 1)) })
    } else if (name === 'not') {
      conditions.push({ op: 'not', condition: planWhere(collection, value as Where, depth + 1) })
    } else if (isScalar(value)) {
      conditions.push(equals(operandAt(collection, name), name, value))
    } else {
      conditions.push(...planComparisons(operandAt(collection, name), name, value))
    }
  }
  const [only] = conditions
  return only !== undefined && conditions.length === 1 ? only : { op: 'and', conditions }
}

function planComparisons(operand: Operand, name: string, value: unknown): Condition[] {
  if (!isRecord(value)) throw invalid(`"${name}" must be compared with a value or with operators such as { gte: 1 }`)
  const entries = Object.entries(value).filter(([, argument]) => argument !== undefined)
  if (entries.length === 0) throw invalid(`"${name}" has no comparison`)
  return entries.map(([operator, argument]) => planComparison(operand, name, operator, argument))
}

function planComparison(operand: Operand, name: string, operator: string, argument: unknown): Condition {
  switch (operator) {
    case 'eq':
      return equals(operand, name, argument)
    case 'ne':
      return argument === null
        ? { op: 'not', condition: { op: 'isNull', operand } }
        : { op: 'ne', operand, value: scalar(name, argument) }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return { op: operator, operand, value: scalar(name, argument) }
    case 'in':
      if (!Array.isArray(argument) || argument.length > MAX_VALUES) {
        throw invalid(`"in" of "${name}" takes a list of at most ${MAX_VALUES} values`)
      }
      return isIn(operand, name, argument)
    case 'isNull': {
      if (typeof argument !== 'boolean') throw invalid(`"isNull" of "${name}" takes true or false`)
      const condition: Condition = { op: 'isNull', operand }
      return argument ? condition : { op: 'not', condition }
    }
    case 'contains':
      if (argument !== null) scalar(name, argument)
      return { op: 'contains', operand, value: argument as JsonScalar }
    default:
      throw invalid(
        `"${name}" uses the unknown operator "${cut(operator)}"; use eq, ne, in, gt, gte, lt, lte, isNull and contains`,
      )
  }
}

function equals(operand: Operand, name: string, value: unknown): Condition {
  return value === null ? { op: 'isNull', operand } : { op: 'eq', operand, value: scalar(name, value) }
}

/** One `in` for each type of value, so that backends compare lists of one type. */
function isIn(operand: Operand, name: string, values: readonly unknown[]): Condition {
  const byType = new Map<string, NonNull[]>()
  for (const value of values) {
    if (value === null) continue
    const checked = scalar(name, value)
    getOrInsert(byType, typeof checked, () => []).push(checked)
  }
  const parts: Condition[] = [...byType.values()].map((list) => ({ op: 'in', operand, values: [...new Set(list)] }))
  if (values.includes(null)) parts.push({ op: 'isNull', operand })
  return parts.length === 1 ? (parts[0] as Condition) : { op: 'or', conditions: parts }
}

function scalar(name: string, value: unknown): NonNull {
  if (value === null || !isScalar(value)) throw invalid(`"${name}" is compared with a value that has no order`)
  if (value === 0) return 0
  if (typeof value === 'string' && isStorable(value)) return value
  const problem = jsonProblem(value)
  if (problem) throw invalid(`"${name}" is compared with a value that ${problem.message}`)
  return value
}

function isScalar(value: unknown): value is JsonScalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function invalid(problem: string): Error {
  return coreError('INVALID_QUERY', `This query cannot be answered: ${problem}.`)
}
