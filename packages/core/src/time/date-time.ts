import { TIMESTAMP_PATTERN } from '../schemas/timestamp.js'

const pattern = new RegExp(TIMESTAMP_PATTERN)

/** Whether a value is an RFC 3339 date-time with offset, on a day that exists. */
export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value)
}
