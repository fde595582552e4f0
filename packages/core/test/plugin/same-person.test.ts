import { expect, test } from 'vitest'
import { mayBeSamePerson } from '../../src/plugin/index.ts'

test.each([
  ['alice', 'Alice'],
  ['alice', ' alice '],
  ['alice', 'ali\u200bce'],
  ['alice', 'ａｌｉｃｅ'],
  ['Zoë', 'Zoe\u0308'],
  ['straße', 'STRASSE'],
])('%j and %j may be one person', (one, other) => {
  expect(mayBeSamePerson(one, other)).toBe(true)
  expect(mayBeSamePerson(other, one)).toBe(true)
})

test.each([
  ['alice', 'bob'],
  ['alice', 'alice2'],
  ['al ice', 'alice'],
  ['', 'alice'],
])('%j and %j are two', (one, other) => {
  expect(mayBeSamePerson(one, other)).toBe(false)
})
