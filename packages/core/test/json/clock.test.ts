import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { now, timestamp } from '../../src/index.js'
import { readClock, readMillis } from '../../src/plugin/index.js'
import { isDate, isDateTime } from '../../src/schemas/timestamp.js'

describe('clocks', () => {
  it('reads dates, numbers and texts alike', () => {
    const time = '2026-01-31T09:30:00.000Z'
    expect(readClock(() => time)).toBe(time)
    expect(readClock(() => new Date(time))).toBe(time)
    expect(readClock(() => Date.parse(time))).toBe(time)
    expect(readClock(() => '2026-01-31T10:30:00+01:00')).toBe(time)
    expect(readMillis(() => time)).toBe(Date.parse(time))
  })

  it('writes the current time in UTC with milliseconds', () => {
    const before = Date.now()
    const time = now()
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
  })

  it('does not mix up times', () => {
    expect([timestamp(0), timestamp(1), timestamp(0)].map(Date.parse)).toEqual([0, 1, 0])
  })

  it('reads the clock of the platform, also when it is replaced', () => {
    const before = Date.now()
    const read = [readMillis(), readMillis(Date.now), Date.parse(readClock())]
    for (const millis of read) expect(millis >= before && millis <= Date.now()).toBe(true)
    const own = Date.now
    try {
      Date.now = () => 7
      expect([readMillis(), readMillis(Date.now), readMillis(() => 8)]).toEqual([7, 7, 8])
    } finally {
      Date.now = own
    }
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15])('refuses %d, which has no timestamp', (millis) => {
    expect(() => readClock(() => millis)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    expect(timestamp(0)).toBe('1970-01-01T00:00:00.000Z')
  })
})

describe('isDateTime', () => {
  it.each(['2026-01-31T09:30:00Z', '2024-02-29T23:59:59.123456+02:00', '2000-02-29T00:00:00-00:00'])(
    'accepts %s',
    (text) => {
      expect(isDateTime(text)).toBe(true)
    },
  )

  it.each([
    '2026-01-31',
    '2026-01-31T09:30:00',
    '2026-02-29T00:00:00Z',
    '2024-02-30T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:00+24:00',
    '2016-12-31T23:59:60Z',
    '2026-01-31T09:30:00.1234567890Z',
    ' 2026-01-31T09:30:00Z',
    '2026-01-31T09:30:00Z\n',
    '',
    null,
    0,
  ])('refuses %j', (text) => {
    expect(isDateTime(text)).toBe(false)
  })

  it('accepts exactly the moments of a calendar, to the second', () => {
    const digits = (max: number, length = 2) => fc.integer({ min: 0, max }).map((n) => `${n}`.padStart(length, '0'))
    const year = fc.oneof(digits(9999, 4), fc.constantFrom('0000', '1900', '2000', '2024', '2026'))
    const parts = fc.tuple(year, digits(13), digits(32), digits(24), digits(60), digits(61))
    fc.assert(
      fc.property(parts, ([year, month, day, hour, minute, second]) => {
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`
        const date = new Date(`${text}.000Z`)
        // A day that a month does not have, or the hour 24, comes back as another one.
        const real = !Number.isNaN(date.getTime()) && date.toISOString() === `${text}.000Z`
        expect([text, isDateTime(`${text}Z`)]).toEqual([text, real])
        expect([text, isDate(`${text}Z`)]).toEqual([text, real])
      }),
      { numRuns: 2000 },
    )
  })
})
