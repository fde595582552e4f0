import { patternProblem } from '../fields/pattern.js'
import { getOwn } from '../json/get-own.js'
import { isRecord } from '../json/is-record.js'
import { FORMATS, SCHEMA_FORMATS } from './formats.js'
import type { Issue } from './issue.js'
import { type Dialect, namedDialect } from './json-schema.js'
import { keywordOf, shapeProblem } from './keywords.js'
import { keywordIssue, type SchemaIssueCode } from './schema-issue.js'
import type { Subschema } from './subschemas.js'

/*
 * The rule for which schemas are accepted, beyond the one for references: a keyword is refused when its value is
 * invalid in its draft, or when it would not be checked, or not as its draft specifies.
 */

/** Every keyword whose value is invalid in the draft. Where no draft is named, tuples may have the older form. */
export function misshapenKeywords({ schema, pointer }: Subschema, dialect: Dialect, isNamed: boolean): Issue[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    const keyword = keywordOf(name, dialect)
    const isStrict = name === 'items' && isNamed && dialect === '2020-12'
    const problem = keyword && shapeProblem(isStrict ? { takes: 'schema' } : keyword, value)
    return problem === undefined ? [] : [keywordIssue(pointer, name, 'META_SCHEMA', problem)]
  })
}

/** Every keyword that would not be checked, or be checked differently. `isTrusted` lets patterns take any time. */
export function uncheckedKeywords({ schema, pointer }: Subschema, dialect: Dialect, isTrusted: boolean): Issue[] {
  const issues: Issue[] = []
  const refuse = (keyword: string, code: SchemaIssueCode, message: string) =>
    issues.push(keywordIssue(pointer, keyword, code, message))
  const has = (keyword: string) => Object.hasOwn(schema, keyword)

  const format = getOwn(schema, 'format')
  if (typeof format === 'string' && !FORMATS.has(format)) {
    refuse('format', 'FORMAT', `is an unknown format; use one of ${SCHEMA_FORMATS.join(', ')}`)
  }
  const properties = getOwn(schema, 'patternProperties')
  for (const source of isTrusted || !isRecord(properties) ? [] : Object.keys(properties)) {
    const problem = patternProblem(source)
    if (problem !== undefined) refuse('patternProperties', 'PATTERN', `has a pattern that ${problem}`)
  }
  const problem = isTrusted || !has('pattern') ? undefined : patternProblem(schema.pattern as string)
  if (problem !== undefined) refuse('pattern', 'PATTERN', problem)
  if (getOwn(schema, 'nullable') === true) {
    refuse('nullable', 'KEYWORD', 'is not part of JSON Schema; list "null" among the types instead')
  }
  if (has('$recursiveRef')) {
    refuse('$recursiveRef', 'KEYWORD', 'is not part of draft 2020-12 or draft-07; use "$ref"')
  }
  if (has('prefixItems') && (dialect === 'draft-07' || Array.isArray(getOwn(schema, 'items')))) {
    refuse('prefixItems', 'KEYWORD', 'cannot be mixed with the older tuple form or draft-07; use one of them')
  }
  if (pointer === '' || !has('$schema')) return issues
  if (namedDialect(schema.$schema) !== dialect) refuse('$schema', 'DIALECT', 'must name the draft of the whole schema')
  return issues
}
