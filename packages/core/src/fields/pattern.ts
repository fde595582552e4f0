import { RE2JS } from 're2js'
import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { BoundedMap } from '../json/bounded-map.js'
import { PatternProblem, translatePattern } from './translate-pattern.js'

/** A compiled pattern. Gives the same results as `new RegExp(source, 'u')`, in linear time. */
export interface CompiledPattern {
  /** True when the pattern matches somewhere; false for anything but a string of at most `maxTextLength`. */
  test(text: string): boolean
  /** The longest text, in UTF-16 units, that is matched; the larger the pattern, the shorter the text. */
  readonly maxTextLength: number
}

export const MAX_PATTERN_LENGTH = 2000

/** Maximum number of steps of one match: about a second in the worst case. */
const MAX_STEPS = 1e8

const cache = new BoundedMap<string, CompiledPattern | PatternProblem>(500)

/** The reason why a pattern cannot be used, or `undefined` when it can. */
export const patternProblem = guarded('patternProblem', (source: string): string | undefined => {
  const result = readPattern(source)
  return result instanceof PatternProblem ? result.message : undefined
})

/** Compiles a pattern or takes it from a cache. Throws `INVALID_TYPE` when it cannot be used. */
export const compilePattern = guarded('compilePattern', (source: string): CompiledPattern => {
  const result = readPattern(source)
  if (!(result instanceof PatternProblem)) return result
  throw coreError('INVALID_TYPE', `The pattern ${result.message}.`, {
    details: { pattern: String(source).slice(0, MAX_PATTERN_LENGTH) },
  })
})

function readPattern(source: string): CompiledPattern | PatternProblem {
  if (typeof source !== 'string') return new PatternProblem('is not a string')
  if (source.length > MAX_PATTERN_LENGTH) {
    return new PatternProblem(`is longer than ${MAX_PATTERN_LENGTH} characters`)
  }
  const known = cache.get(source)
  if (known) return known
  const result = compile(source)
  cache.set(source, result)
  return result
}

function compile(source: string): CompiledPattern | PatternProblem {
  try {
    new RegExp(source, 'u')
  } catch (error) {
    return new PatternProblem(`is not a regular expression: ${(error as Error).message}`)
  }
  try {
    const { text: re2, size } = translatePattern(source)
    const engine = RE2JS.compile(re2)
    const maxTextLength = Math.floor(MAX_STEPS / size)
    return {
      maxTextLength,
      test: (text) => typeof text === 'string' && text.length <= maxTextLength && engine.test(text),
    }
  } catch (error) {
    if (error instanceof PatternProblem) return error
    return new PatternProblem(`is refused by the linear-time engine: ${(error as Error).message}`)
  }
}
