import type { JsonScalar } from '../../json/json-value.js'
import type { Condition, Operand, QueryPlan, Selection } from '../backend.js'
import { matcher } from './match.js'
import type { OrderedIndex } from './ordered-index.js'
import { isBehind, type Row, rowOrder } from './row.js'
import type { Table } from './table.js'

/** An access path to the rows of a selection: fewer than all rows, some of which may not match. */
interface Path {
  readonly cost: number
  readonly rows: () => Iterable<Row>
  /** The rows come in the order of the plan, starting after its cursor. */
  readonly inOrder?: true
}

/** Matching rows of a table, in order, at most `plan.limit`, leaving out those that a transaction has changed. */
export function selectRows(table: Table, plan: QueryPlan, hidden: ReadonlyMap<string, unknown>): Row[] {
  const path = cheapestPath(table, plan, plan)
  const matches = matcher(plan)
  const behind = isBehind(plan)
  const found: Row[] = []
  for (const row of path.rows()) {
    if (hidden.has(row.key) || !matches(row) || !behind(row)) continue
    found.push(row)
    if (path.inOrder && found.length === plan.limit) break
  }
  if (!path.inOrder) found.sort(rowOrder(plan))
  if (found.length > plan.limit) found.length = plan.limit
  return found
}

/** Number of matching rows of a table, leaving out those that a transaction has changed. */
export function countRows(table: Table, selection: Selection, hidden: ReadonlyMap<string, unknown>): number {
  const matches = matcher(selection)
  let count = 0
  for (const row of cheapestPath(table, selection).rows()) if (!hidden.has(row.key) && matches(row)) count += 1
  return count
}

function cheapestPath(table: Table, selection: Selection, plan?: QueryPlan): Path {
  return cheaperText(table, selection, pathTo(table, selection.where, plan))
}

function pathTo(table: Table, condition: Condition | undefined, plan?: QueryPlan): Path {
  const everything: Path = { cost: table.rows.size, rows: () => table.rows.values() }
  const where = conjuncts(condition)
  const paths = [
    ...indexPaths(table, where, plan),
    ...listPaths(table, where),
    ...keyPaths(table, where),
    ...eitherPaths(table, where),
  ]
  return paths.reduce((a, b) => (b.cost < a.cost ? b : a), everything)
}

/** The rows that match one of several conditions, each once. */
function* eitherPaths(table: Table, where: readonly Condition[]): Generator<Path> {
  for (const condition of where) {
    if (condition.op !== 'or') continue
    const ways = condition.conditions.map((part) => pathTo(table, part))
    const cost = ways.reduce((sum, way) => sum + way.cost, 0)
    yield { cost, rows: () => new Set(ways.flatMap(({ rows }) => [...rows()])) }
  }
}

/** Looking up a prefix has a cost too, so the search stops once it cannot win. */
function cheaperText(table: Table, selection: Selection, best: Path): Path {
  let result = best
  // Something else than a list may never end; the matcher refuses it.
  if (!Array.isArray(selection.words)) return best
  for (const prefix of selection.words) {
    const cost = table.text().estimate(prefix, result.cost)
    if (cost < result.cost) result = { cost, rows: () => table.text().find(prefix) }
  }
  return result
}

/** A row with a known key. */
function* keyPaths(table: Table, where: readonly Condition[]): Generator<Path> {
  for (const condition of where) {
    if ((condition.op !== 'eq' && condition.op !== 'in') || !condition.operand.key) continue
    const keys: readonly JsonScalar[] = 'values' in condition ? condition.values : [condition.value]
    const rows = () => keys.flatMap((key) => table.rows.get(String(key)) ?? [])
    yield { cost: keys.length, rows }
  }
}

/** Rows whose list column has an element. */
function* listPaths(table: Table, where: readonly Condition[]): Generator<Path> {
  for (const condition of where) {
    if (condition.op !== 'contains' || typeof condition.value !== 'string') continue
    const { column } = condition.operand
    if (column === undefined || table.declaration.columns[column]?.type !== 'strings') continue
    const rows = table.list(column).find(condition.value)
    yield { cost: rows.size, rows: () => rows }
  }
}

/** Ranges of the ordered indexes: first columns are compared by `eq`, the next may give the order of the plan. */
function* indexPaths(table: Table, where: readonly Condition[], plan?: QueryPlan): Generator<Path> {
  const equal = equalities(where)
  for (const columns of table.indexes) {
    const prefix: JsonScalar[] = []
    for (const column of columns) {
      const value = equal.get(column)
      if (value === undefined) break
      prefix.push(value)
    }
    const ordered = plan && givesOrder(columns.slice(prefix.length), plan)
    if (prefix.length === 0 && !ordered) {
      yield* valuePaths(table, columns, where)
      continue
    }
    const index = table.ordered(columns)
    if (ordered) yield orderedPath(index, prefix, plan)
    else yield { cost: index.count(prefix) * 2, rows: () => index.walk(prefix, 'asc') }
  }
}

/** Number of list values sampled to estimate the cost of all of them. */
const SAMPLE = 32

/** One range for each value of an `in`. */
function* valuePaths(table: Table, columns: readonly number[], where: readonly Condition[]): Generator<Path> {
  for (const condition of where) {
    if (condition.op !== 'in' || !isColumn(condition.operand, columns[0])) continue
    const index = table.ordered(columns)
    const { values } = condition
    const sample = values.slice(0, SAMPLE)
    const found = sample.reduce<number>((sum, value) => sum + index.count([value]), 0)
    const cost = values.length * ((2 * found) / Math.max(1, sample.length) + 16)
    const rows = function* () {
      for (const value of values) yield* index.walk([value], 'asc')
    }
    yield { cost, rows }
  }
}

/** In order, one page is read plus rows that do not match, fewer in a selective index; never more than the range. */
function orderedPath(index: OrderedIndex, prefix: JsonScalar[], plan: QueryPlan): Path {
  const range = prefix.length === 0 ? Number.POSITIVE_INFINITY : index.count(prefix) * 2
  const cost = Math.min((plan.limit * 8) / (prefix.length + 1), range)
  return { cost, rows: () => index.walk(prefix, plan.keyDirection, plan.after), inOrder: true }
}

function givesOrder(columns: readonly number[], { order, keyDirection }: QueryPlan): boolean {
  return (
    columns.length === order.length &&
    order.every(({ operand, direction }, index) => isColumn(operand, columns[index]) && direction === keyDirection)
  )
}

/** The key and undeclared paths are not columns, and neither is the first column of an index without columns. */
function isColumn(operand: Operand, column: number | undefined): boolean {
  return column !== undefined && operand.column === column
}

/** Columns that must equal one value, or be null. */
function equalities(where: readonly Condition[]): Map<number, JsonScalar> {
  const equal = new Map<number, JsonScalar>()
  const note = ({ column }: Operand, value: JsonScalar) => {
    if (column !== undefined && !equal.has(column)) equal.set(column, value)
  }
  for (const condition of where) {
    if (condition.op === 'eq') note(condition.operand, condition.value)
    if (condition.op === 'isNull') note(condition.operand, null)
  }
  return equal
}

/** The conditions that must all hold. */
function conjuncts(where: Condition | undefined): readonly Condition[] {
  if (where === undefined) return []
  return where.op === 'and' ? where.conditions.flatMap(conjuncts) : [where]
}
