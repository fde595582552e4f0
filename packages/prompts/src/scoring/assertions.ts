import { quote } from '@minions/core'
import { property } from '@minions/core/operations'
import { guarded } from '@minions/core/plugin'
import { describeIssues, ownSchema } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { promptsError } from '../errors.js'
import type { Evaluate } from '../testing/test-evaluation.js'
import type { Evaluator } from './evaluation.js'
import { evaluators } from './evaluators.js'
import type { JsonSchema } from './schema-evaluator.js'

/** Assertions on a text, as data. */
export const AssertionsSchema = Type.Object({
  equals: Type.Optional(property.text('The exact text.', 'Hello Ada!')),
  contains: Type.Optional(property.list(Type.String(), 'Strings that it must all contain.', 'Ada')),
  notContains: Type.Optional(property.list(Type.String(), 'Strings that it must not contain.', '{{')),
  matches: Type.Optional(property.list(Type.String(), 'Patterns that must all match somewhere in it.', '^Hello')),
  minLength: Type.Optional(property.whole('Minimum number of characters.', 10, { minimum: 0 })),
  maxLength: Type.Optional(property.whole('Maximum number of characters.', 200, { minimum: 0 })),
  jsonSchema: Type.Optional(
    Type.Unsafe<JsonSchema>({
      type: 'object',
      description: 'A JSON Schema; the text must be valid JSON for it.',
      examples: [{ type: 'object', required: ['answer'] }],
    }),
  ),
})

export type Assertions = Readonly<Static<typeof AssertionsSchema>>

const NAMES = Object.keys(AssertionsSchema.properties) as (keyof Assertions)[]

/** True if anything is asserted. */
export const hasAssertions = guarded('hasAssertions', (assertions: Assertions): boolean => {
  return NAMES.some((name) => assertions[name] !== undefined)
})

/**
 * Judges a text by assertions; it passes when all hold. Throws `EVALUATOR_INVALID`, including when nothing is asserted.
 */
export const assertionEvaluator = guarded('assertionEvaluator', (assertions: Assertions): Evaluator => {
  if (!hasAssertions(assertions)) {
    throw promptsError('EVALUATOR_INVALID', `Nothing is asserted; give at least one of ${NAMES.join(', ')}.`)
  }
  const known = compiled.get(assertions)
  if (known) return known
  const { equals, contains, notContains, matches = [], minLength, maxLength, jsonSchema } = assertions
  const hasLength = minLength !== undefined || maxLength !== undefined
  const evaluator = evaluators.all(
    ...(equals === undefined ? [] : [evaluators.equals(equals)]),
    ...(contains === undefined ? [] : [evaluators.contains(contains)]),
    ...(notContains === undefined ? [] : [evaluators.notContains(notContains)]),
    ...matches.map((pattern) => evaluators.regex(pattern)),
    ...(hasLength ? [evaluators.length({ min: minLength ?? 0, max: maxLength ?? Number.POSITIVE_INFINITY })] : []),
    ...(jsonSchema === undefined ? [] : [evaluators.jsonSchema(jsonSchema)]),
  )
  compiled.set(assertions, evaluator)
  return evaluator
})

/** Judges an answer by assertions or, without an answer, the rendered prompt. */
export const assertionJudge = guarded('assertionJudge', (assertions: Assertions): Evaluate => {
  const evaluate = assertionEvaluator(assertions)
  return (renderedPrompt, { output }) => evaluate(output ?? renderedPrompt)
})

/** Patterns and schemas are compiled once for each set of assertions. */
const compiled = new WeakMap<Assertions, Evaluator>()

/** Throws `EVALUATOR_INVALID` unless a value is undefined or usable assertions. */
export function checkAssertions(value: unknown): void {
  if (value === undefined || value === null) return
  if (!validator().check(value)) {
    const problems = describeIssues(validator().issues(value), 'they')
    throw promptsError('EVALUATOR_INVALID', `The assertions of a test cannot be used: ${problems}.`)
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(AssertionsSchema.properties, name))
  if (unknown !== undefined) {
    const message = `${quote(unknown)} is not an assertion, so it would never fail; use ${NAMES.join(', ')}.`
    throw promptsError('EVALUATOR_INVALID', message)
  }
  if (hasAssertions(value)) assertionEvaluator(value)
}

const validator = ownSchema(AssertionsSchema)
