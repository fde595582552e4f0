import { describe, expect, it } from 'vitest'
import { backtrackingProblem } from '../src/schema/backtracking.js'

const exponential = [
  '^(a+)+$',
  '^(a*)*$',
  '(a|a)*b',
  '^(a|aa)+$',
  '^(a|b|ab)*$',
  '([a-z]+)*=',
  '^(\\w+\\s?)*$',
  '^(a?b?)*$',
  '(.*a)*b',
  '^(?:[a-z]+[a-z0-9]*)+$',
  '^(?<word>\\w|\\d)+$',
  '^((ab)*c?)*$',
  '^([\\u0061-\\u007a]+)+$',
  '^(\\x61+|a)+$',
  '^(a{1,20}){1,20}$',
  '^(a{1,2}){1,40}$',
  '^([^,]+,?)*$',
  '^(\\p{L}+)*$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
]

const harmless = [
  '',
  'abc',
  '^a+$',
  '^.*$',
  '^[a-z0-9]+(-[a-z0-9]+)*$',
  '^([a-z]+\\.)*[a-z]+$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^(a|b)*$',
  '^(ab|cd)+$',
  '^("[^"]*"|[^",]*)(,("[^"]*"|[^",]*))*$',
  '^\\d+(\\.\\d+)?([eE][+-]?\\d+)?$',
  '^(\\d{10})*$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
  '\\bword\\b|\\Bpart',
  '^(foo|bar|baz){1,3}$',
  '^[\\]\\-a-]+$',
  '^\\u{1F600}*$',
  '^a{2,}?b$',
]

describe('patterns in a backtracking engine', () => {
  it.each(exponential)('%s takes exponential time', (pattern) => {
    new RegExp(pattern, 'u')
    expect(backtrackingProblem(pattern)).toContain('exponential')
  })

  it.each(harmless)('%s is harmless', (pattern) => {
    new RegExp(pattern, 'u')
    expect(backtrackingProblem(pattern)).toBeUndefined()
  })

  it.each(['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>'])('%s is refused', (pattern) => {
    expect(backtrackingProblem(pattern)).toContain('look-around')
  })

  it('gives up on what is too large to judge', () => {
    expect(backtrackingProblem(`^(${'ab?'.repeat(300)})*$`)).toContain('too large')
    expect(backtrackingProblem('((((a{8}){8}){8}){8})*')).toContain('too large')
  })
})
