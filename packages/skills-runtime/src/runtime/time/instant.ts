import type { Clock } from '@minions/core'
import { readMillis } from '@minions/core/plugin'

/** Reads a clock as whole milliseconds since 1970, as records hold them. */
export function wholeMillis(clock: Clock): number {
  return Math.floor(readMillis(clock))
}

let lastTime = ''
let lastMillis = Number.NaN

/**
 * Milliseconds since 1970 of a timestamp; 0 if there is none. Many of one moment are read, and parsing one takes longer
 * than the rest of ending an execution, so the last result is cached.
 */
export function millisOf(time: string | null | undefined): number {
  if (time == null) return 0
  if (time !== lastTime) {
    lastMillis = Date.parse(time) || 0
    lastTime = time
  }
  return lastMillis
}
