import { Ajv2020 } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { issuesFromAjv } from './schema/ajv-issues.js'
import { boundedFormats } from './schema/formats.js'
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
    const issues = issuesFromAjv(validate.errors).map((issue) => toAttribute(what, issue))
    // A nullable attribute is a choice of two; what matters is said by the first branch.
    return issues.filter(({ code, message }) => code !== 'SCHEMA' && !message.includes('must be null'))
  }
}

function toAttribute(what: string, issue: ValidationIssue): ValidationIssue {
  const field = (issue.pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
  return { ...issue, field, message: `The ${what}'s ${issue.message}` }
}
