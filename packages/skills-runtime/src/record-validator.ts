import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { issuesFromAjv } from './schema/ajv-issues.js'
import { boundedFormats } from './schema/formats.js'
import { pointerSegments } from './schema/pointer.js'
import type { ValidationIssue } from './validation.js'

/** Checks a record; errors name the attribute, and their pointer the exact place. */
export type RecordValidator = (record: Record<string, unknown>) => ValidationIssue[]

/** Compiles one of our own record schemas, when it is first used. */
export function recordValidator(what: string, schema: TSchema): RecordValidator {
  const compile = () =>
    new Ajv2020({
      allErrors: true,
      ownProperties: true,
      strict: false,
      verbose: true,
      formats: boundedFormats,
    }).compile(schema)
  let validate: ReturnType<typeof compile> | undefined
  return (record) => {
    validate ??= compile()
    if (validate(record)) return []
    const errors = validate.errors ?? []
    const telling = errors.filter((error) => !isRepetition(error))
    return issuesFromAjv(telling.length > 0 ? telling : errors).map((issue) => toAttribute(what, issue))
  }
}

/**
 * Errors that only repeat another one: a nullable attribute is a choice of two, of which the branch that is not null says
 * what is wrong; and the line feed that other languages let through is refused by the pattern itself here.
 */
function isRepetition({ keyword, schema, parentSchema }: ErrorObject): boolean {
  if (keyword === 'type') return schema === 'null'
  return keyword === 'anyOf' || (keyword === 'not' && parentSchema !== undefined && 'pattern' in parentSchema)
}

function toAttribute(what: string, issue: ValidationIssue): ValidationIssue {
  const [field = ''] = pointerSegments(issue.pointer)
  return { ...issue, field, message: `The ${what}'s ${issue.message}` }
}
