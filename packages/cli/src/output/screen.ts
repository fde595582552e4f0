import type { Cli } from '../cli.js'

export interface Screen {
  /** Maximum number of columns of a line; undefined for lines of any length, as in a pipe. */
  readonly columns: number | undefined
  /** True if a person is reading: times are then relative. */
  readonly isTerminal: boolean
  readonly isColoured: boolean
}

const PIPE: Screen = { columns: undefined, isTerminal: false, isColoured: false }

/** Width of a terminal that does not report one. */
const USUAL_COLUMNS = 80
/** Minimum width: nothing could be read on a narrower terminal. */
const FEWEST_COLUMNS = 20

let current = PIPE

/** The screen for the text being formatted. */
export function screen(): Screen {
  return current
}

/** Formats a text for the screen of a command. */
export function onScreen<T>(cli: Cli, make: () => T): T {
  const before = current
  current = screenOf(cli)
  try {
    return make()
  } finally {
    current = before
  }
}

function screenOf(cli: Cli): Screen {
  const isTerminal = Boolean(cli.stdout.isTTY)
  const said = isTerminal && cli.stdout.columns ? cli.stdout.columns : Number(cli.env.COLUMNS)
  const known = Number.isSafeInteger(said) && said > 0 ? Math.max(said, FEWEST_COLUMNS) : undefined
  return { columns: known ?? (isTerminal ? USUAL_COLUMNS : undefined), isTerminal, isColoured: cli.isColoured }
}
