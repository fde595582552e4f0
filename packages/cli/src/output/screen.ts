import type { Cli } from '../cli.js'

/** What results are shown on. */
export interface Screen {
  /** Columns that a line may take; undefined where lines may be of any length, as in a pipe. */
  readonly columns: number | undefined
  /** A person reads along: times are relative there. */
  readonly isTerminal: boolean
  readonly isColoured: boolean
}

const PIPE: Screen = { columns: undefined, isTerminal: false, isColoured: false }

/** A terminal that does not say how wide it is. */
const USUAL_COLUMNS = 80
/** A terminal that says it is narrower than this is not asked again: nothing could be read there. */
const FEWEST_COLUMNS = 20

let current = PIPE

/** The screen that the text which is being made will be shown on. */
export function screen(): Screen {
  return current
}

/** Makes a text for the screen of a command. */
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
