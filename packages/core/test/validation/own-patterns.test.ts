import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { ID_PATTERN } from '../../src/ids.js'
import { compilePattern, compileSchema, IdSchema, MinionSchema } from '../../src/schemas/index.js'
import { DATE_PATTERN, TIMESTAMP_PATTERN, TimestampSchema } from '../../src/schemas/timestamp.js'

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
const moments = fc
  .tuple(digits(4), digits(2), digits(2), fc.constantFrom('T', 't', ' ', ''), digits(2), digits(2), digits(2))
  .chain(([year, month, day, t, hours, minutes, seconds]) =>
    fc
      .constantFrom('Z', 'z', '', '+02:00', '-23:59', '+24:00', '.1Z', '.123456789Z', '.1234567890Z', 'Z\n')
      .map((end) => `${year}-${month}-${day}${t}${hours}:${minutes}:${seconds}${end}`),
  )
const dates = fc
  .tuple(fc.constantFrom('1900', '2000', '2023', '2024'), fc.constantFrom('01', '02', '04', '12', '13'), digits(2))
  .map((parts) => parts.join('-'))
const ids = fc.stringMatching(/^[A-Za-z0-9._/:\n -]{0,8}$/)
const texts = fc.oneof(moments, dates, ids, fc.string({ unit: 'binary' }))

it('schemas match ids and times as the linear engine does', () => {
  const schemas = [
    [TimestampSchema, TIMESTAMP_PATTERN],
    [MinionSchema.properties.dueDate, DATE_PATTERN],
    [IdSchema, ID_PATTERN],
  ] as const
  for (const [schema, pattern] of schemas) {
    const { check } = compileSchema(Type.Object({ it: schema }))
    const linear = compilePattern(pattern)
    fc.assert(
      fc.property(texts, (text) => {
        expect(check({ it: text })).toBe(linear.test(text) && !text.includes('\n'))
      }),
      { numRuns: 2000 },
    )
  }
})

it('a text that is no id is refused in no time, however long it is', () => {
  const { check } = compileSchema(Type.Object({ it: IdSchema }))
  for (const text of ['a'.repeat(10_000_000), `${'a.'.repeat(5_000_000)}!`]) expect(check({ it: text })).toBe(false)
})
