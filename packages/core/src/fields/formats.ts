import { compilePattern } from './pattern.js'

/** One or more characters, dots apart, at one or more labels and a last one. */
export const EMAIL_PATTERN =
  "^[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*@" +
  '(?:[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*\\.)+[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*$'

const ESCAPED = '%[0-9A-Fa-f]{2}'
const PATH_CHARACTER = `(?:[\\w.~!$&'()*+,;=:@/-]|${ESCAPED})`

/** An http or https address in the characters of RFC 3986, with a host. */
export const URL_PATTERN =
  `^https?://(?:(?:[\\w.~!$&'()*+,;=:-]|${ESCAPED})*@)?` +
  `(?:\\[[0-9A-Fa-f:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|${ESCAPED})+)(?::[0-9]{0,5})?` +
  `(?:/${PATH_CHARACTER}*)?(?:\\?(?:${PATH_CHARACTER}|\\?)*)?(?:#(?:${PATH_CHARACTER}|\\?)*)?$`

export function isEmail(text: string): boolean {
  return compilePattern(EMAIL_PATTERN).test(text)
}

/** The pattern refuses what the parser would repair (spaces, backslashes, no host); the parser checks the host. */
export function isUrl(text: string): boolean {
  return compilePattern(URL_PATTERN).test(text) && URL.canParse(text)
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d)))?$/i

/** Room for any sensible fraction of a second. */
const MAX_DATE_LENGTH = 64

/**
 * True for a full date or a date-time with offset as in RFC 3339, on a day that exists. `T` and `Z` may be lower case;
 * second 60 is accepted only where a leap second can stand: at 23:59 UTC on the last day of June or December.
 */
export function isDate(text: string): boolean {
  if (text.length > MAX_DATE_LENGTH) return false
  const match = DATE.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false
  if (match[4] === undefined) return true
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])]
  const [offsetHour, offsetMinute] = [Number(match[8] ?? 0), Number(match[9] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const offset = (match[7] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  return canBeLeapSecond(new Date(Date.UTC(year, month - 1, day, hour, minute - offset, 59)))
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function canBeLeapSecond(secondBefore: Date): boolean {
  return /^(?:19[7-9]\d|[2-9]\d{3})-(?:06-30|12-31)T23:59:59/.test(secondBefore.toISOString())
}
