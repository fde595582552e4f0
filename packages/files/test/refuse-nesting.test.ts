import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { refuseNesting } from '../src/index.js'

describe('refuseNesting', () => {
  it.each([
    ['lists in brackets', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['maps in braces', (depth: number) => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`],
    ['lists in lines', (depth: number) => `${'- '.repeat(depth)}x`],
    [
      'maps in lines',
      (depth: number) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
    ],
    ['questions', (depth: number) => `${'? '.repeat(depth)}x`],
  ])('refuses %s that go too deep, and nothing else', (_, nested) => {
    expect(() => refuseNesting(nested(50))).not.toThrow()
    expect(() => refuseNesting(nested(5000))).toThrow('nested deeper than 200 levels')
  })

  it('takes long texts that are flat', () => {
    const flat = Array.from({ length: 5000 }, (_, index) => `key-${index}: [1, {a: b}]`).join('\n')
    expect(() => refuseNesting(flat)).not.toThrow()
    expect(Object.keys(parse(flat))).toHaveLength(5000)
  })
})
