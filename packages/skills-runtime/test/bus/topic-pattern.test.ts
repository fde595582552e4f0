import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, isPattern } from '../../src/bus/delivery/topic-pattern.js'

describe('patterns', () => {
  it.each([
    ['a.*', 'a.b', true],
    ['a.*', 'a', false],
    ['a.*', 'a.b.c', false],
    ['*.b', 'a.b', true],
    ['*', 'a', true],
    ['*', 'a.b', false],
    ['**', 'a.b.c', true],
    ['a.**', 'a', true],
    ['a.**', 'a.b.c', true],
    ['a.**', 'b.a', false],
    ['a.**.z', 'a.z', true],
    ['a.**.z', 'a.b.c.z', true],
    ['a.**.z', 'a.b.c', false],
    ['**.x.**', 'a.x', true],
    ['a.b', 'a.b', true],
    ['a.b', 'axb', false],
    ['a*', 'ab', false],
    ['a*', 'a*', true],
  ])('%s and %s: %s', (pattern, topic, expected) => {
    expect(compilePattern(pattern)(topic)).toBe(expected)
  })

  it('are told apart from topics', () => {
    expect(['a.b', 'a*', '*a.b', '***'].some(isPattern)).toBe(false)
    expect(['*', 'a.*', '**.a'].every(isPattern)).toBe(true)
  })

  it('may be regular expressions, which remember nothing', () => {
    const matches = compilePattern(/^a/gy)
    expect([matches('ab'), matches('ab'), matches('b')]).toEqual([true, true, false])
  })

  it('mean what the obvious definition means', () => {
    const obvious = (wanted: string[], topic: string[]): boolean => {
      const [first, ...rest] = wanted
      if (first === undefined) return topic.length === 0
      if (first === '**') return obvious(rest, topic) || (topic.length > 0 && obvious(wanted, topic.slice(1)))
      return topic.length > 0 && (first === '*' || first === topic[0]) && obvious(rest, topic.slice(1))
    }
    const segments = fc.array(fc.constantFrom('a', 'b', '*', '**'), { minLength: 1, maxLength: 6 })
    const topics = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(segments, topics, (wanted, topic) => {
        expect(compilePattern(wanted.join('.'))(topic.join('.'))).toBe(obvious(wanted, topic))
      }),
    )
  })

  it('take no exponential time', () => {
    expect(compilePattern(`${'**.a.'.repeat(30)}b`)(Array(100).fill('a').join('.'))).toBe(false)
  })
})
