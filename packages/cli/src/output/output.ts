import type { Cli } from '../cli.js'
import { onScreen } from './screen.js'
import { type Columns, table } from './table.js'

export { oneLine, show } from './cell.js'
export { facts } from './facts.js'
export { table }

/** Prints a value as JSON with `--json`, and otherwise as human-readable text. */
export function print(cli: Cli, value: unknown, text: () => string): void {
  write(cli, cli.options.json ? JSON.stringify(value ?? null, null, 2) : onScreen(cli, text))
}

/** Prints rows as JSON with `--json`, and otherwise as a table, or `empty` if there are none. */
export function printTable<Row>(
  cli: Cli,
  rows: readonly Row[],
  empty: string,
  columns: Columns<Row>,
  longest?: number,
): void {
  print(cli, rows, () => table(rows, empty, columns, longest))
}

/** Texts below each other, with a blank line between them; empty ones are left out. */
export function sections(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Prints text that is the result itself, such as a rendered prompt, with one newline at its end. */
export function write(cli: Cli, text: string): void {
  cli.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Reports where something was written: as JSON if that is the result, otherwise on standard error. */
export function wrote(cli: Cli, value: Readonly<Record<string, unknown>>, text: string): void {
  if (cli.options.json) print(cli, value, () => text)
  else note(cli, text)
}

/** Prints a message on standard error, where it cannot get into a pipe. */
export function note(cli: Cli, text: string): void {
  cli.stderr.write(`${text}\n`)
}
