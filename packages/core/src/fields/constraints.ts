import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Problem } from './codes.js'
import { compilePattern, patternProblem } from './pattern.js'
import { problem, type ValueCheck } from './value-check.js'

/** The field types whose `minLength`, `maxLength` and `pattern` apply. */
export const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'textarea', 'url', 'email'])

/** The limits of `validation` that apply to the field's type, as checks of a value that has that type already. */
export function compileConstraints(field: FieldDefinition): readonly ValueCheck[] {
  const limits = field.validation ?? {}
  const checks: ValueCheck[] = []
  if (field.type === 'number') {
    const { min, max } = limits
    if (isNumber(min))
      checks.push(numberCheck((value) => value >= min, problem(field, 'min', `must be at least ${min}`)))
    if (isNumber(max))
      checks.push(numberCheck((value) => value <= max, problem(field, 'max', `must be at most ${max}`)))
  } else if (TEXT_TYPES.has(field.type)) {
    const { minLength, maxLength, pattern } = limits
    if (isNumber(minLength)) {
      const tooShort = problem(field, 'minLength', `must have at least ${minLength} characters`)
      checks.push(textCheck((text) => text.length >= 2 * minLength || codePoints(text) >= minLength, tooShort))
    }
    if (isNumber(maxLength)) {
      const tooLong = problem(field, 'maxLength', `must have at most ${maxLength} characters`)
      checks.push(textCheck((text) => text.length <= maxLength || fitsIn(text, maxLength), tooLong))
    }
    if (pattern !== undefined) checks.push(patternCheck(field, pattern))
  }
  return checks
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}

function numberCheck(accepts: (value: number) => boolean, otherwise: Problem): ValueCheck {
  return (value) => (accepts(value as number) ? undefined : otherwise)
}

function textCheck(accepts: (text: string) => boolean, otherwise: Problem): ValueCheck {
  return (value) => (accepts(value as string) ? undefined : otherwise)
}

/** Lengths count code points, as JSON Schema does; a code point has one or two UTF-16 units. */
function codePoints(text: string): number {
  let count = text.length
  for (let index = 0; index + 1 < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) continue
    if ((text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue
    count--
    index++
  }
  return count
}

function fitsIn(text: string, maxLength: number): boolean {
  return text.length <= 2 * maxLength && codePoints(text) <= maxLength
}

function patternCheck(field: FieldDefinition, source: string): ValueCheck {
  const unusable = patternProblem(source)
  if (unusable !== undefined) {
    const otherwise = problem(field, 'invalid_pattern', `cannot be checked: its pattern ${unusable}`)
    return () => otherwise
  }
  const pattern = compilePattern(source)
  const noMatch = problem(field, 'pattern', `must match the pattern ${source}`)
  const tooLong = problem(
    field,
    'pattern',
    `must have at most ${pattern.maxTextLength} characters to be matched against its pattern`,
  )
  return (value) => {
    const text = value as string
    if (text.length > pattern.maxTextLength) return tooLong
    return pattern.test(text) ? undefined : noMatch
  }
}
