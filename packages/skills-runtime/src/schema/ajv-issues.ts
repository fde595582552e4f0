import { pointerTo, TIMESTAMP_PATTERN, TIMESTAMP_RULE } from '@minions/core'
import type { ErrorObject } from 'ajv'
import { isShort, type ValidationIssue } from '../validation.js'
import { pointerSegments } from './pointer.js'

/** A list longer than this helps nobody. */
const MAX_ISSUES = 100

const CODES: Readonly<Record<string, string>> = {
  required: 'REQUIRED',
  dependentRequired: 'REQUIRED',
  type: 'TYPE',
  enum: 'ENUM',
  const: 'ENUM',
  format: 'FORMAT',
  pattern: 'PATTERN',
  minLength: 'MIN_LENGTH',
  maxLength: 'MAX_LENGTH',
  minimum: 'MIN',
  exclusiveMinimum: 'MIN',
  maximum: 'MAX',
  exclusiveMaximum: 'MAX',
  multipleOf: 'MULTIPLE_OF',
  minItems: 'MIN_ITEMS',
  maxItems: 'MAX_ITEMS',
  uniqueItems: 'UNIQUE',
  minProperties: 'MIN_PROPERTIES',
  maxProperties: 'MAX_PROPERTIES',
  additionalProperties: 'UNKNOWN_PROPERTY',
  unevaluatedProperties: 'UNKNOWN_PROPERTY',
  unevaluatedItems: 'UNKNOWN_ITEM',
  propertyNames: 'PROPERTY_NAME',
}

/** ajv's errors in our form: the path of the value, a stable code, and a sentence that names the value. */
export function issuesFromAjv(errors: readonly ErrorObject[] | null | undefined): ValidationIssue[] {
  return (errors ?? []).slice(0, MAX_ISSUES).map(issueFromAjv)
}

function issueFromAjv(error: ErrorObject): ValidationIssue {
  const { keyword, params } = error
  const property = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  const named = typeof property === 'string'
  const pointer = named ? pointerTo(error.instancePath, property) : error.instancePath
  const field = pointerSegments(pointer).join('.')
  const issue = {
    field,
    code: Object.hasOwn(CODES, keyword) ? (CODES[keyword] as string) : 'SCHEMA',
    message: `${field === '' ? 'The value' : `"${field}"`} ${phrase(error)}.`,
    pointer,
  }
  const missing = keyword === 'required' || keyword === 'dependentRequired'
  return !missing && !named && isShort(error.data) ? { ...issue, value: error.data } : issue
}

function phrase({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known property'
    case 'unevaluatedItems':
      return 'is not a known item'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).slice(0, 20).map(String).join(', ')}`
    case 'pattern':
      return params.pattern === TIMESTAMP_PATTERN ? TIMESTAMP_RULE : (message ?? 'must match its pattern')
    default:
      return message ?? `breaks the rule "${keyword}"`
  }
}
