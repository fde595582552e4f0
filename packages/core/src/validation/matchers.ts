import { compilePattern } from '../fields/pattern.js'
import type { Matchers } from './assertions.js'
import { FORMATS } from './formats.js'

const format: Matchers['format'] = (name) => FORMATS.get(name)

/** Matches in linear time, whatever the pattern. */
export const LINEAR: Matchers = { pattern: compilePattern, format }

const expressions = new Map<string, RegExp>()

/** A pattern without operators, which is a text to look for. */
const PLAIN = /^(?:[\w -]|\\n)+$/

/** Matches with the engine of the host, which is faster; for patterns of the program itself. */
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
