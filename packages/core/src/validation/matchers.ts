import { compilePattern } from '../fields/pattern.js'
import { ID_PATTERN } from '../ids.js'
import { CANONICAL_TIMESTAMP_PATTERN, DATE_PATTERN, TIMESTAMP_PATTERN } from '../schemas/timestamp.js'
import type { Matchers } from './assertions.js'
import { FORMATS } from './formats.js'

const format: Matchers['format'] = (name) => FORMATS.get(name)

const expressions = new Map<string, RegExp>()

/** A pattern without operators, which is a substring to search for. */
const PLAIN = /^(?:[\w -]|\\n)+$/

/** Matches with the host's engine, which is faster; for patterns of the program itself. */
export const NATIVE: Matchers = {
  pattern(source) {
    const expression = expressions.get(source) ?? new RegExp(source, 'u')
    expressions.set(source, expression)
    const plain = PLAIN.test(source) ? JSON.stringify(source.replaceAll('\\n', '\n')) : undefined
    return {
      test: (text) => expression.test(text),
      code: (text) => (plain === undefined ? `${expression}.test(${text})` : `${text}.includes(${plain})`),
    }
  },
  format,
}

/** Our own patterns that take linear time in any engine: each string can be matched in only one way. */
const HARMLESS: ReadonlySet<string> = new Set([
  CANONICAL_TIMESTAMP_PATTERN,
  DATE_PATTERN,
  ID_PATTERN,
  TIMESTAMP_PATTERN,
  '\\n',
])

/** Matches in linear time, whatever the pattern. */
export const LINEAR: Matchers = {
  pattern: (source) => (HARMLESS.has(source) ? NATIVE.pattern(source) : compilePattern(source)),
  format,
}
