import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type JsonValue, jsonEqual } from '../../src/json/index.js'

fc.configureGlobal({ seed: 8785 })

describe('canonicalJson', () => {
  it('writes the sample of RFC 8785 §3.2.2 and §3.2.3', () => {
    const sample = {
      numbers: [JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('sorts keys by UTF-16 unit, as the sample of RFC 8785 §3.2.3 does', () => {
    const sample = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '😀': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    }
    expect([...canonicalJson(sample).matchAll(/:"([^"]*)"/g)].map((match) => match[1])).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [1e21, '1e+21'],
    [999999999999999900000, '999999999999999900000'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
  ])('writes the number %d as %s', (number, text) => {
    expect(canonicalJson(number)).toBe(text)
  })

  it('keeps a key called __proto__', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":2}}'))).toBe('{"__proto__":{"x":2},"b":1}')
  })

  it('gives the same text for equal values whatever the order of keys, and reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as JsonValue)
        expect(canonicalJson(reverseKeys(value) as JsonValue)).toBe(text)
        expect(jsonEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))).toBe(true)
        expect(text).toBe(canonicalJson(JSON.parse(text)))
      }),
    )
  })
})

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reverseKeys(member)]),
  )
}
