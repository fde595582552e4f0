/**
 * Which transactions had been committed in one moment, as `pg_current_snapshot()` says it: all before `xmax`, except for
 * those that were still under way. `xmax` follows the latest transaction that had ended, so those from it on may have been
 * under way too.
 */
export interface Snapshot {
  readonly text: string
  readonly xmax: bigint
  readonly running: readonly string[]
}

/** The pattern of the text. */
export const SNAPSHOT = '\\d{1,20}:\\d{1,20}:(?:\\d{1,20}(?:,\\d{1,20})*)?'

/** Before anything happened. */
export const NOTHING: Snapshot = { text: '1:1:', xmax: 1n, running: [] }

export function parseSnapshot(text: string): Snapshot {
  const [, xmax = '0', list = ''] = text.split(':')
  return { text, xmax: BigInt(xmax), running: list === '' ? [] : list.split(',') }
}
