import type { Cli } from './cli.js'

/** Prints a value as JSON with `--json`, and otherwise the text that is made for people. */
export function print(cli: Cli, value: unknown, text: () => string): void {
  write(cli, cli.options.json ? JSON.stringify(value ?? null, null, 2) : text())
}

/** Prints text that is the result itself, such as a rendered prompt, with one newline at its end. */
export function write(cli: Cli, text: string): void {
  cli.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Says where something was written: as JSON where that is the result, and beside it otherwise. */
export function wrote(cli: Cli, value: Readonly<Record<string, unknown>>, text: string): void {
  if (cli.options.json) print(cli, value, () => text)
  else note(cli, text)
}

/** Says something that is not a result, where it cannot get into a pipe. */
export function note(cli: Cli, text: string): void {
  cli.stderr.write(`${text}\n`)
}

/** Titles come from anybody; none of them may move the cursor or change colours. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** A value in one cell. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return ''
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The columns of a table: a heading, and what of a row stands below it. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>

/** Longest cell; the rest of a value is what `--json` is for. */
const MAX_CELL = 60

/** Rows below headings, or one sentence when there are none. Long values are cut unless `longest` allows them. */
export function table<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  empty = 'Nothing here.',
  longest = MAX_CELL,
): string {
  if (rows.length === 0) return empty
  const headings = Object.keys(columns)
  const cells = rows.map((row) => headings.map((heading) => cut(show(columns[heading]?.(row)), longest)))
  const widths = headings.map((heading, index) =>
    Math.max(length(heading), ...cells.map((line) => length(line[index] ?? ''))),
  )
  const line = (values: readonly string[]) =>
    values
      .map((value, index) => value + ' '.repeat((widths[index] ?? 0) - length(value)))
      .join('  ')
      .trimEnd()
  return [line(headings.map((heading) => heading.toUpperCase())), ...cells.map(line)].join('\n')
}

/** Names and values below each other; what is absent is left out. */
export function facts(entries: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(entries).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const width = Math.max(0, ...present.map(([name]) => length(name)))
  return present.map(([name, value]) => `${name}${' '.repeat(width - length(name))}  ${show(value)}`).join('\n')
}

function cut(text: string, longest: number): string {
  const characters = Array.from(text)
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text
}

function length(text: string): number {
  return Array.from(text).length
}
