import { DATE_PATTERN, TIMESTAMP_PATTERN } from '../schemas/timestamp.js'

const date = new RegExp(DATE_PATTERN)
const dateTime = new RegExp(TIMESTAMP_PATTERN)

/** True for an RFC 3339 date-time with offset, on a day that exists and not in a leap second. */
export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && dateTime.test(value)
}

/** True for such a date-time, or a date alone. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && date.test(value)
}
