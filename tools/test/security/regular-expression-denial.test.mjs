// @ts-check
// Patterns that users supply are matched in linear time or refused, and our own patterns are linear too.
import { compilePattern, toJsonSchema, validateFields } from '@minions/core'
import { compileTemplate, evaluators } from '@minions/prompts'
import { compileSchema } from '@minions/skills-runtime'
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

/** So much that a loaded machine passes, and so little that going back never would. */
const moment = 10_000

/** @param {() => unknown} work */
function expectQuick(work) {
  const started = performance.now()
  work()
  expect(performance.now() - started).toBeLessThan(moment)
}

/** Runs what may refuse. @param {() => unknown} work */
function orRefuse(work) {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it.each(evil)('core: %s', (pattern) => {
  expectQuick(() => orRefuse(() => compilePattern(pattern).test(text)))
  const schema = [{ name: 'x', type: /** @type {const} */ ('string'), validation: { pattern } }]
  expectQuick(() => orRefuse(() => validateFields({ x: text }, schema)))
  expect(orRefuse(() => toJsonSchema(/** @type {never} */ ({ schema })))).toBeDefined()
})

it.each(evil)('evaluators of prompts: %s', (pattern) => {
  expectQuick(() => orRefuse(() => evaluators.regex(pattern)(text)))
  expectQuick(() => orRefuse(() => evaluators.jsonSchema({ type: 'string', pattern })(JSON.stringify(text))))
})

it.each(evil)('schemas of skills: %s', (pattern) => {
  expectQuick(() => orRefuse(() => compileSchema({ type: 'string', pattern }).validate(text)))
})

it.each(['{{', '{{ ', '{{#if ', '\\', '{{a', '}}', '{{#if a}}{{else}}', ' '.repeat(3), '\n---', '{{a.'])(
  'our parser of templates, fed %j many times',
  (part) => {
    expectQuick(() => orRefuse(() => compileTemplate(part.repeat(20_000))))
  },
)
