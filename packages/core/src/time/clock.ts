import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { quote } from '../errors/quote.js'

/** Source of the time; returns anything `new Date()` accepts: `Date.now`, `() => new Date(...)`, `now`. */
export type Clock = () => Date | number | string

/** RFC 3339 years have four digits. */
const FIRST_MILLIS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MILLIS = Date.parse('9999-12-31T23:59:59.999Z')

let lastMillis = Number.NaN
let lastTimestamp = ''

/** The current time as RFC 3339 in UTC with milliseconds, e.g. `2026-01-31T09:30:00.000Z`. */
export function now(): string {
  return timestamp(Date.now())
}

/** Reads a clock as milliseconds since 1970. */
export function readMillis(clock: Clock = Date.now): number {
  // Every write reads a clock, nearly always this one, which cannot fail.
  return clock === Date.now ? Date.now() : readCustom(clock)
}

const readCustom = guarded('readMillis', (clock: Clock): number => {
  if (typeof clock !== 'function')
    throw coreError('VALIDATION_FAILED', `A clock must be a function, not ${quote(clock)}.`)
  const time = clock()
  return typeof time === 'number' ? time : millisOf(time)
})

const millisOf = guarded('A clock', (time: Date | string) => new Date(time).getTime())

/** Reads a clock as an RFC 3339 timestamp. */
export function readClock(clock: Clock = Date.now): string {
  return timestamp(readMillis(clock))
}

/** Formats milliseconds since 1970. It costs more than the rest of creating a minion, so the last result is cached. */
export function timestamp(millis: number): string {
  if (millis !== lastMillis) {
    if (typeof millis !== 'number' || !(millis >= FIRST_MILLIS && millis <= LAST_MILLIS)) {
      const message = `${quote(millis)} is not a time between the years 0 and 9999; check the clock.`
      throw coreError('VALIDATION_FAILED', message)
    }
    lastTimestamp = new Date(millis).toISOString()
    lastMillis = millis
  }
  return lastTimestamp
}
