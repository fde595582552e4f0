import { isMinionsError } from '@minions/core'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { assertScores, checkEvaluation, evaluators, isScore } from '../src/index.js'

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (isMinionsError(error)) return error.code
    throw error
  }
  return 'nothing was thrown'
}

describe('scores', () => {
  it.each([0, 1, 50, 100])('accepts %s', (score) => {
    expect(isScore(score)).toBe(true)
    expect(() => assertScores({ relevance: score })).not.toThrow()
  })

  it.each([250, 101, -1, Number.NaN, Number.POSITIVE_INFINITY, 50.5, '50', null, undefined, true, [50]])(
    'refuses %s',
    (score) => {
      expect(isScore(score)).toBe(false)
      expect(codeOf(() => assertScores({ relevance: score }))).toBe('SCORES_INVALID')
    },
  )

  it.each([null, undefined, [], 5, 'x'])('refuses %s in place of scores', (scores) => {
    expect(codeOf(() => assertScores(scores))).toBe('SCORES_INVALID')
  })

  it('asks for every declared dimension, as an own property, and lists all that is wrong', () => {
    expect(() => assertScores({ a: 1, b: 2 }, ['a', 'b'])).not.toThrow()
    expect(() => assertScores({ a: 250 }, ['a', 'toString', 'b'])).toThrow(/\/a is 250.*\/toString .*\/b /)
  })

  it('checks a whole evaluation', () => {
    expect(checkEvaluation({ scores: { a: 1 }, passed: false }, ['a'])).toEqual({ scores: { a: 1 }, passed: false })
    expect(codeOf(() => checkEvaluation({ scores: { a: 1 }, passed: 'yes' } as never))).toBe('SCORES_INVALID')
  })
})

describe('evaluators', () => {
  it('contains', () => {
    const evaluate = evaluators.contains(['Paris', 'France', 'Seine'])
    expect(evaluate('Paris in France on the Seine')).toEqual({ scores: { contains: 100 }, passed: true })
    expect(evaluate('Paris, france')).toEqual({ scores: { contains: 33 }, passed: false })
    expect(evaluators.contains('FRANCE', { caseSensitive: false, dimension: 'd' })('france')).toEqual({
      scores: { d: 100 },
      passed: true,
    })
    expect(codeOf(() => evaluators.contains([]))).toBe('EVALUATOR_INVALID')
  })

  it('regex, in linear time', () => {
    expect(evaluators.regex('^\\d{4}$')('2024')).toEqual({ scores: { regex: 100 }, passed: true })
    expect(evaluators.regex(/b+/)('aaa')).toEqual({ scores: { regex: 0 }, passed: false })
    expect(evaluators.regex('^(a+)+$')(`${'a'.repeat(50_000)}!`).passed).toBe(false)
    expect(codeOf(() => evaluators.regex('('))).toBe('EVALUATOR_INVALID')
    expect(codeOf(() => evaluators.regex('(a)\\1'))).toBe('EVALUATOR_INVALID')
    expect(codeOf(() => evaluators.regex(/a/i))).toBe('EVALUATOR_INVALID')
  })

  it('JSON Schema', () => {
    const evaluate = evaluators.jsonSchema({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } })
    expect(evaluate('{"a":1}')).toEqual({ scores: { jsonSchema: 100 }, passed: true })
    expect(evaluate('```json\n{"a": 1}\n```').passed).toBe(true)
    for (const output of ['{"a":"1"}', '{}', 'no JSON', '', '['.repeat(100_000)])
      expect(evaluate(output).passed).toBe(false)
    expect(evaluators.jsonSchema(Type.Object({ a: Type.Integer() }))('{"a":1}').passed).toBe(true)
    const draft07 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'number' }],
      additionalItems: false,
    }
    expect(evaluators.jsonSchema(draft07)('[1]').passed).toBe(true)
    expect(evaluators.jsonSchema(draft07)('[1,2]').passed).toBe(false)
    expect(evaluators.jsonSchema({ type: 'string', format: 'date' })('"2024-02-30"').passed).toBe(false)
    expect(evaluators.jsonSchema(true)('5').passed).toBe(true)
    expect(evaluators.jsonSchema(false)('5').passed).toBe(false)
  })

  it.each([
    ['zod', z.object({ a: z.int(), b: z.string().default('x') })],
    ['valibot', v.object({ a: v.pipe(v.number(), v.integer()), b: v.optional(v.string(), 'x') })],
    ['arktype', type({ a: 'number.integer', b: "string = 'x'" })],
  ])('a schema of %s', (_, schema) => {
    const evaluate = evaluators.jsonSchema(schema)
    expect(evaluate('{"a":1}').passed).toBe(true)
    for (const output of ['{"a":1.5}', '{"a":1,"b":2}', '{}', 'no JSON']) expect(evaluate(output).passed).toBe(false)
  })

  it('runs patterns of schemas in linear time and refuses schemas that cannot work', () => {
    expect(evaluators.jsonSchema({ pattern: '^(a+)+$' })(JSON.stringify(`${'a'.repeat(50_000)}!`)).passed).toBe(false)
    let deep: object = {}
    for (let depth = 0; depth < 100; depth++) deep = { not: deep }
    const unusable = [
      { type: 'nonsense' },
      { pattern: '(' },
      { pattern: '(a)\\1' },
      { format: 'no-such-format' },
      { $ref: 'https://example.com/schema' },
      { description: 'x'.repeat(300_000) },
      { default: Number.NaN },
      deep,
    ]
    for (const schema of unusable) expect(codeOf(() => evaluators.jsonSchema(schema))).toBe('EVALUATOR_INVALID')
  })

  it('equality, of text or of JSON', () => {
    expect(evaluators.equals('yes')('yes')).toEqual({ scores: { equality: 100 }, passed: true })
    expect(evaluators.equals('yes')('yes ').passed).toBe(false)
    expect(evaluators.equals({ a: 1, b: [2] })('{ "b": [2], "a": 1 }').passed).toBe(true)
    expect(evaluators.equals({ a: 1 })('{').passed).toBe(false)
    expect(evaluators.equals(4)('4').passed).toBe(true)
  })

  it('length, in characters, words or lines', () => {
    expect(evaluators.length({ max: 2 })('😀😀')).toEqual({ scores: { length: 100 }, passed: true })
    expect(evaluators.length({ max: 2 })('abc').passed).toBe(false)
    expect(evaluators.length({ min: 2, unit: 'words' })(' one  two ').passed).toBe(true)
    expect(evaluators.length({ min: 2, max: 2, unit: 'lines' })('a\nb').passed).toBe(true)
    for (const limits of [{ min: -1 }, { min: 2, max: 1 }, { max: Number.NaN }]) {
      expect(codeOf(() => evaluators.length(limits))).toBe('EVALUATOR_INVALID')
    }
  })

  it('a function of your own, whose answer is checked', () => {
    expect(evaluators.custom((output) => output === 'x')('x')).toEqual({ scores: { custom: 100 }, passed: true })
    expect(evaluators.custom(() => 70, { dimension: 'tone' })('x')).toEqual({ scores: { tone: 70 }, passed: false })
    expect(evaluators.custom(() => ({ scores: { a: 1, b: 2 }, passed: true }))('x').passed).toBe(true)
    for (const score of [250, Number.NaN, -1])
      expect(codeOf(() => evaluators.custom(() => score)('x'))).toBe('SCORES_INVALID')
  })

  it('several at once', () => {
    const evaluate = evaluators.all(evaluators.contains('a'), evaluators.length({ max: 3 }), evaluators.contains('b'))
    expect(evaluate('a')).toEqual({ scores: { contains: 0, length: 100 }, passed: false })
    expect(evaluate('ab')).toEqual({ scores: { contains: 100, length: 100 }, passed: true })
  })
})
