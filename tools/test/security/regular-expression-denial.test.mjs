// @ts-check
// Patterns that users supply are matched in linear time or refused, and our own patterns are linear too. Anything else
// would take years, and a test ends before.
import { MinionsError, validateFields } from '@minions/core'
import { compilePattern, compileSchema } from '@minions/core/schema'
import { compileTemplate, evaluators } from '@minions/prompts'
import { expect, it } from 'vitest'

/** Patterns that take exponential time, or worse than linear, on an engine that goes back. */
const evil = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^([a-z]+)*$',
  '^(.*a){12}$',
  '(a*)*b',
  '^(\\w+\\s?)*$',
  '^a*a*a*a*a*a*b$',
]
const text = `${'a'.repeat(50_000)}!`

/**
 * Whether something says yes; refusing, with an error of ours, is saying no.
 *
 * @param {() => boolean} work
 */
function accepts(work) {
  try {
    return work()
  } catch (error) {
    expect(error).toBeInstanceOf(MinionsError)
    return false
  }
}

it.each(evil)('core: %s', (pattern) => {
  expect(accepts(() => compilePattern(pattern).test(text))).toBe(false)
  const schema = [{ name: 'x', type: /** @type {const} */ ('string'), validation: { pattern } }]
  expect(accepts(() => validateFields({ x: text }, schema).valid)).toBe(false)
})

it.each(evil)('evaluators of prompts: %s', (pattern) => {
  expect(accepts(() => evaluators.regex(pattern)(text).passed === true)).toBe(false)
  const schema = { type: 'string', pattern }
  expect(accepts(() => evaluators.jsonSchema(schema)(JSON.stringify(text)).passed === true)).toBe(false)
})

it.each(evil)('schemas of skills: %s', (pattern) => {
  expect(accepts(() => compileSchema({ type: 'string', pattern }).issues(text).length === 0)).toBe(false)
})

it.each(['{{', '{{ ', '{{#if ', '\\', '{{a', '}}', '{{#if a}}{{else}}', ' '.repeat(3), '\n---', '{{a.'])(
  'our parser of templates, fed %j many times',
  (part) => {
    expect(accepts(() => compileTemplate(part.repeat(20_000)) !== undefined)).toBeTypeOf('boolean')
  },
)
