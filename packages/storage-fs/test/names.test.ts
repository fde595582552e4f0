import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeName, encodeName, recordPath } from '../src/files/names.js'

const hostile = [
  '',
  '.',
  '..',
  'a/../../b',
  '/etc/passwd',
  'C:\\x',
  'con',
  'CON',
  'nul.txt',
  'com1',
  'lpt9.a.b',
  'a',
  'A',
  'ä',
  'a\u0308',
  'é'.repeat(128),
  '-',
  '~',
  '%41',
  'a%',
  '+',
  'a\x01\x01b',
  'a\x01\x02\x01\x01b',
  'x'.repeat(1024),
  `${'x'.repeat(1023)}y`,
  'X'.repeat(1024),
  'trailing.',
  'trailing ',
  '.git',
  '__proto__',
  '\ufeffx',
  'ﬀ',
  '😀',
]

it('gives hostile keys names of their own that are safe everywhere', () => {
  const names = hostile.map(encodeName)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(hostile.length)
  for (const name of names) {
    expect(name).toMatch(/^[a-z0-9_.%+~-]{1,200}$/)
    expect(name).not.toMatch(/^\.|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/)
  }
})

it('is readable where it can be', () => {
  expect(recordPath('minions', '5f8b7c1e-2d3a-4b6c-8d9e-0f1a2b3c4d5e', '.json')).toMatch(
    /^minions\/[0-9a-f]{2}\/5f8b7c1e-2d3a-4b6c-8d9e-0f1a2b3c4d5e\.json$/,
  )
  expect(encodeName('summarise\x01\x010000000000000002')).toBe('summarise+0000000000000002')
  expect(encodeName('Ab')).toBe('%41b')
  expect(recordPath('con', 'a', '.json')).toMatch(/^%63on\//)
})

/** A hash cannot be turned back. */
function expectToDecode(key: string): void {
  const name = encodeName(key)
  if (!name.includes('~')) expect(decodeName(name)).toBe(key)
}

it('never gives two keys the same name, and knows the key of a name', () => {
  const key = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('a', 'A', '.', '%', '4', '1', '+', '\x01', '~') }),
  )
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(encodeName(a).toLowerCase() === encodeName(b).toLowerCase()).toBe(a === b)
      expectToDecode(a)
    }),
    { numRuns: 2000, seed: 1 },
  )
  for (const key of hostile) expectToDecode(key)
  expect(decodeName('A')).toBeUndefined()
  expect(decodeName('%zz')).toBeUndefined()
  expect(decodeName('%ff')).toBeUndefined()
})
