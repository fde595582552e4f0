import { textMatching } from './text-matching.js'

/*
 * The one rule for times in all records: RFC 3339, on a day that exists, with at most nanosecond precision. Second 60
 * is refused, because JavaScript cannot represent it. The patterns do not use `\d`, which some languages read as any
 * Unicode digit.
 */
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const monthAndDay = [
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])',
  '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)',
  '02-(?:0[1-9]|1[0-9]|2[0-8])',
].join('|')
const date = `(?:[0-9]{4}-(?:${monthAndDay})|${leapYear}-02-29)`
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?'
const offset = '[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]'

/** Date and time with an offset. */
export const TIMESTAMP_PATTERN = `^${date}[Tt]${time}(?:[Zz]|${offset})$`

/** Date and time with an offset, with upper-case `T` and `Z`, for records that other languages read. */
export const CANONICAL_TIMESTAMP_PATTERN = `^${date}T${time}(?:Z|${offset})$`

/** A date, or a date and time with an offset. */
export const DATE_PATTERN = `^${date}(?:[Tt]${time}(?:[Zz]|${offset}))?$`

/** Describes the timestamp patterns; follows the name of a value. */
export const TIMESTAMP_RULE =
  'must be a date and time such as 2026-01-31T09:30:00.000Z, on a day that exists and not in a leap second (:60)'

/** A moment. The rule is a pattern, because validators disagree on the format `date-time` and are slow at it. */
export const TimestampSchema = textMatching(TIMESTAMP_PATTERN)

export const timestampSchema = (description: string) => textMatching(TIMESTAMP_PATTERN, { description })

const timestampPattern = new RegExp(TIMESTAMP_PATTERN)
const datePattern = new RegExp(DATE_PATTERN)

/** True for an RFC 3339 date-time with offset, on a day that exists and not in a leap second. */
export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && timestampPattern.test(value)
}

/** True for such a date-time, or a date alone. */
export function isDate(value: unknown): value is string {
  return typeof value === 'string' && datePattern.test(value)
}
