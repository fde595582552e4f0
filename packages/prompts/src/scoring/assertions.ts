import { type Static, Type } from 'typebox'
import { promptsError } from '../errors.js'
import type { Evaluator } from './evaluation.js'
import { evaluators } from './evaluators.js'
import type { JsonSchema } from './schema-evaluator.js'

/** What a text must be like, as data. */
export const AssertionsSchema = Type.Object({
  contains: Type.Optional(
    Type.Array(Type.String(), { description: 'Texts that it must all contain.', examples: [['Ada']] }),
  ),
  matches: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Patterns that must all match somewhere in it.',
      examples: [['^Hello']],
    }),
  ),
  maxLength: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Most characters that it may have.', examples: [200] }),
  ),
  jsonSchema: Type.Optional(
    Type.Unsafe<JsonSchema>({
      type: 'object',
      description: 'A JSON Schema that it must fit; it must be JSON then.',
      examples: [{ type: 'object', required: ['answer'] }],
    }),
  ),
})

export type Assertions = Readonly<Static<typeof AssertionsSchema>>

/** True if anything is asserted. */
export function hasAssertions({ contains, matches, maxLength, jsonSchema }: Assertions): boolean {
  return [contains, matches, maxLength, jsonSchema].some((assertion) => assertion !== undefined)
}

/** Judges a text by assertions; it passes when all hold. Throws `EVALUATOR_INVALID`, also when nothing is asserted. */
export function assertionEvaluator(assertions: Assertions): Evaluator {
  if (!hasAssertions(assertions)) {
    throw promptsError('EVALUATOR_INVALID', 'Nothing is asserted; give contains, matches, maxLength or jsonSchema.')
  }
  const { contains, matches = [], maxLength, jsonSchema } = assertions
  return evaluators.all(
    ...(contains === undefined ? [] : [evaluators.contains(contains)]),
    ...matches.map((pattern) => evaluators.regex(pattern)),
    ...(maxLength === undefined ? [] : [evaluators.length({ max: maxLength })]),
    ...(jsonSchema === undefined ? [] : [evaluators.jsonSchema(jsonSchema)]),
  )
}
