/**
 * The transactions committed at one moment, in the form of `pg_current_snapshot()`: all before `xmax`, except those
 * still running. `xmax` follows the latest ended transaction, so later ones may have been running too.
 */
export interface Snapshot {
  readonly text: string
  readonly xmax: bigint
  readonly running: readonly string[]
}

/** The pattern of the text form. */
export const SNAPSHOT = '\\d{1,20}:\\d{1,20}:(?:\\d{1,20}(?:,\\d{1,20})*)?'

/** Before anything happened. */
export const NOTHING: Snapshot = { text: '1:1:', xmax: 1n, running: [] }

export function parseSnapshot(text: string): Snapshot {
  const [, xmax = '0', list = ''] = text.split(':')
  return { text, xmax: BigInt(xmax), running: list === '' ? [] : list.split(',') }
}
