import { oneLine, show } from './cell.js'
import { facts } from './facts.js'
import { screen } from './screen.js'
import { stateStyle, styled } from './style.js'
import { isTime, relativeTime } from './times.js'
import { cut, displayWidth } from './width.js'

/** The columns of a table: a heading, and a property of a row or what a function makes of the row. */
export type Columns<Row> = Readonly<Record<string, keyof Row | ((row: Row) => unknown)>>

/** Maximum cell width; `--json` shows the rest of a value. */
const MAX_CELL = 60
/** Minimum width of a truncated column; if that is not enough, rows are printed as names and values. */
const MIN_CELL = 8
const GAP = 2

/**
 * Rows below headings, or `empty` if there are none. Values longer than `longest` are truncated, and at a terminal
 * as many more as needed for a row to fit on a line: ids to unique prefixes, which commands accept.
 */
export function table<Row>(rows: readonly Row[], empty: string, columns: Columns<Row>, longest = MAX_CELL): string {
  if (rows.length === 0) return empty
  const headings = Object.keys(columns)
  const readers = Object.values(columns)
  const read = (row: Row, column: Columns<Row>[string]) => (typeof column === 'function' ? column(row) : row[column])
  const cells = rows.map((row) => readers.map((column) => cut(told(show(read(row, column))), longest)))
  const fitted = fit(headings, cells, longest)
  return fitted === undefined ? stacked(headings, cells) : lines(headings, fitted)
}

function lines(headings: readonly string[], cells: readonly (readonly string[])[]): string {
  const widths = widthsOf(headings, cells)
  const line = (values: readonly string[], paint: (text: string, index: number) => string) =>
    values
      .map((value, index) => paint(value, index) + ' '.repeat((widths[index] ?? 0) - displayWidth(value)))
      .join(' '.repeat(GAP))
      .trimEnd()
  return [
    line(
      headings.map((heading) => heading.toUpperCase()),
      (text) => styled('heading', text),
    ),
    ...cells.map((row) =>
      line(row, (text, index) => (isState(headings[index]) ? styled(stateStyle(text), text) : text)),
    ),
  ].join('\n')
}

/** Too many columns for the screen: each row as names and values. */
function stacked(headings: readonly string[], cells: readonly (readonly string[])[]): string {
  return cells
    .map((row) => facts(Object.fromEntries(headings.map((heading, index) => [heading, row[index]]))))
    .join('\n\n')
}

/** The cells, truncated to fit the screen; undefined if they cannot be that short. */
function fit(
  headings: readonly string[],
  cells: readonly (readonly string[])[],
  longest: number,
): readonly (readonly string[])[] | undefined {
  const { columns } = screen()
  if (columns === undefined) return cells
  const available = columns - GAP * (headings.length - 1)
  if (sum(widthsOf(headings, cells)) <= available) return cells
  const short = shortIds(headings, cells)
  const widths = widthsOf(headings, short)
  if (sum(widths) <= available) return short
  if (longest === Number.POSITIVE_INFINITY) return undefined
  const limits = limitsOf(headings, short, widths, available)
  return limits && short.map((row) => row.map((text, index) => cut(text, limits[index] ?? 0)))
}

/** The width of each column, so that all of them fit into `available`; undefined if they cannot. */
function limitsOf(
  headings: readonly string[],
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  available: number,
): number[] | undefined {
  const least = headings.map((heading, index) => {
    const width = widths[index] ?? 0
    // Ids, times and states are useless when truncated.
    if (!isTextColumn(heading, cells, index)) return width
    const needed = isName(heading, index, cells) ? distinctWidth(cells.map((row) => row[index] ?? '')) : MIN_CELL
    return Math.min(width, Math.max(needed, displayWidth(heading)))
  })
  // Names of rows are not truncated if possible.
  const whole = least.map((width, index) => (index === 0 ? (widths[0] ?? 0) : width))
  const floors = [whole, least].find((some) => sum(some) <= available)
  if (floors === undefined) return undefined
  const limit = (cap: number) => floors.map((floor, index) => Math.max(floor, Math.min(cap, widths[index] ?? 0)))
  let cap = Math.max(...widths)
  while (sum(limit(cap)) > available) cap--
  return limit(cap)
}

/** The reference of a row: its first column, or its id if several rows have the same. */
function isName(heading: string, index: number, cells: readonly (readonly string[])[]): boolean {
  return index === 0 || (heading === 'id' && new Set(cells.map(([first]) => first)).size < cells.length)
}

/** Minimum width to which texts can be truncated and stay distinct. */
function distinctWidth(texts: readonly string[]): number {
  const sorted = [...new Set(texts)].sort()
  const shared = sorted.map((text, index) => displayWidth(commonPrefix(text, sorted[index - 1] ?? '')))
  // The first different character, and the ellipsis.
  return Math.max(MIN_CELL, Math.max(0, ...shared) + 2)
}

function commonPrefix(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Ids cut to the first characters that tell them apart within the table, eight at least. */
function shortIds(headings: readonly string[], cells: readonly (readonly string[])[]): string[][] {
  const lengths = headings.map((_, index) => {
    const ids = [...new Set(cells.map((row) => row[index] ?? '').filter((text) => UUID.test(text)))]
    let length = 8
    while (length < 36 && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length++
    return length
  })
  return cells.map((row) => row.map((text, index) => (UUID.test(text) ? text.slice(0, lengths[index]) : text)))
}

function isTextColumn(heading: string, cells: readonly (readonly string[])[], index: number): boolean {
  if (isState(heading)) return false
  const texts = cells.map((row) => row[index] ?? '').filter((text) => text !== '')
  return !texts.every((text) => /^[0-9a-f-]{8,36}$/.test(text) || /^(in .+|.+ ago|just now)$/.test(text))
}

function isState(heading = ''): boolean {
  return /^(status|state|decision|result)$/.test(heading)
}

/** At a terminal, how long ago a time was. */
function told(text: string): string {
  return screen().isTerminal && isTime(text) ? relativeTime(text) : text
}

function widthsOf(headings: readonly string[], cells: readonly (readonly string[])[]): number[] {
  return headings.map((heading, index) =>
    Math.max(displayWidth(oneLine(heading)), ...cells.map((row) => displayWidth(row[index] ?? ''))),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
