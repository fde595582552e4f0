import type { Clock } from '@minions/core'
import { readMillis } from '@minions/core/plugin'

/** Reads a clock as whole milliseconds since 1970, as records hold them. */
export function wholeMillis(clock: Clock): number {
  return Math.floor(readMillis(clock))
}
