import { Type } from 'typebox'

const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const monthAndDay = '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31'
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?'
const offset = '(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'

/** RFC 3339 date and time with an offset, on a day that exists. */
export const TIMESTAMP_PATTERN = `^(?:\\d{4}-(?:${monthAndDay})|${leapYear}-02-29)[Tt]${time}${offset}$`

/** A moment. The rule is a pattern, since validators differ in what the format `date-time` means and are slow at it. */
export const TimestampSchema = Type.String({ pattern: TIMESTAMP_PATTERN })
