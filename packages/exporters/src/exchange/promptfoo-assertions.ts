import { isRecord, type JsonObject, type JsonValue } from '@minions/core/json'
import type { Assertions } from '@minions/prompts'

const LENGTH = /^Array\.from\(output\)\.length (<=|>=) (\d+)$/

/** Assertions in the notation of promptfoo. */
export function writeAssertions(assertions: Assertions): JsonObject[] {
  const { equals, contains = [], notContains = [], matches = [], minLength, maxLength, jsonSchema } = assertions
  const length = (operator: string, value: number) => ({
    type: 'javascript',
    value: `Array.from(output).length ${operator} ${value}`,
  })
  return [
    ...(equals === undefined ? [] : [{ type: 'equals', value: equals }]),
    ...contains.map((value) => ({ type: 'contains', value })),
    ...notContains.map((value) => ({ type: 'not-contains', value })),
    ...matches.map((value) => ({ type: 'regex', value })),
    ...(minLength === undefined ? [] : [length('>=', minLength)]),
    ...(maxLength === undefined ? [] : [length('<=', maxLength)]),
    ...(jsonSchema === undefined ? [] : [{ type: 'is-json', value: jsonSchema as JsonValue }]),
  ]
}

/** Adds an assertion of promptfoo; false if there is no equivalent. */
export function readAssertion(assertion: unknown, into: Record<string, JsonValue>): boolean {
  if (!isRecord(assertion)) return false
  const { type, value } = assertion as { type?: unknown; value?: JsonValue }
  const [, operator, size] = (type === 'javascript' && LENGTH.exec(String(value))) || []
  if (operator !== undefined) into[operator === '<=' ? 'maxLength' : 'minLength'] = Number(size)
  else if (type === 'is-json' && isRecord(value)) into.jsonSchema = value as JsonObject
  else if (typeof value !== 'string') return false
  else if (type === 'equals') into.equals = value
  else {
    const list = { contains: 'contains', 'not-contains': 'notContains', regex: 'matches' }[String(type)]
    if (list === undefined) return false
    into[list] = [...((into[list] as JsonValue[] | undefined) ?? []), value]
  }
  return true
}
