import { type Clock, readMillis } from '@minions/core'

/** Reads a clock as whole milliseconds since 1970, as records hold them. */
export function wholeMillis(clock: Clock): number {
  return Math.floor(readMillis(clock))
}
