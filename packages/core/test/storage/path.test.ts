import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPath, parsePath, valueAt } from '../../src/storage/path.js'

const name = fc.oneof(fc.string(), fc.constantFrom('', '.', '\\', '..', '\\.', 'a.b', '\\\\', '__proto__', '\n'))

describe('paths', () => {
  it('are read as they were written', () => {
    const property = fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (path) => {
      expect(parsePath(formatPath(path))).toEqual(path)
    })
    fc.assert(property, { numRuns: 2000, seed: 1 })
  })

  it('are split at dots that are not escaped', () => {
    expect(parsePath('fields.confidence')).toEqual(['fields', 'confidence'])
    expect(parsePath('a\\.b.c')).toEqual(['a.b', 'c'])
    expect(parsePath('a\\\\.b')).toEqual(['a\\', 'b'])
    expect(parsePath('\\and')).toEqual(['and'])
    expect(parsePath('')).toEqual([''])
    expect(parsePath('a.')).toEqual(['a', ''])
    expect(parsePath('.\\.')).toEqual(['', '.'])
  })

  it('lead to own properties of objects only', () => {
    const record = { a: { b: 1, '': 2 }, list: [{ x: 1 }], 'a.b': 3, none: null }
    expect(valueAt(record, ['a', 'b'])).toBe(1)
    expect(valueAt(record, ['a', ''])).toBe(2)
    expect(valueAt(record, ['a.b'])).toBe(3)
    expect(valueAt(record, [])).toBe(record)
    for (const path of [
      ['list', '0'],
      ['list', 'length'],
      ['none', 'x'],
      ['a', 'b', 'c'],
      ['toString'],
      ['__proto__'],
      ['a', 'constructor'],
    ]) {
      expect(valueAt(record, path)).toBeUndefined()
    }
    expect(valueAt(JSON.parse('{"__proto__":{"x":1}}'), ['__proto__', 'x'])).toBe(1)
  })
})
