import { patternProblem } from '@minions/core'
import { own } from '../validation.js'
import { backtrackingProblem } from './backtracking.js'
import { SCHEMA_FORMATS } from './formats.js'
import { type Dialect, namedDialect } from './json-schema.js'
import { keywordProblem, type SchemaProblem } from './problem.js'
import type { References } from './references.js'
import type { Subschema } from './subschemas.js'

/*
 * The rule for which schemas are accepted, beyond those of their meta-schema and of references: a keyword is refused
 * when it would not be checked, or would be checked in another way than its draft says.
 */

/** Every use of a keyword for which a schema is refused. */
export function unacceptedKeywords({ all }: References, dialect: Dialect): SchemaProblem[] {
  return all.flatMap((subschema) => [...stringProblems(subschema), ...foreignKeywords(subschema, dialect)])
}

function stringProblems({ schema, pointer }: Subschema): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const format = own(schema, 'format')
  if (typeof format === 'string' && !SCHEMA_FORMATS.includes(format)) {
    const message = `is an unknown format; known are ${SCHEMA_FORMATS.join(', ')}.`
    problems.push(keywordProblem(pointer, 'format', 'FORMAT', message))
  }
  const pattern = own(schema, 'pattern')
  const why = typeof pattern === 'string' ? unsafePattern(pattern) : undefined
  if (why !== undefined) problems.push(keywordProblem(pointer, 'pattern', 'PATTERN', `${why}.`))
  for (const key of Object.keys((own(schema, 'patternProperties') as object | undefined) ?? {})) {
    const why = unsafePattern(key)
    if (why === undefined) continue
    problems.push(keywordProblem(pointer, 'patternProperties', 'PATTERN', `has a pattern that ${why}.`))
  }
  return problems
}

function unsafePattern(pattern: string): string | undefined {
  return patternProblem(pattern) ?? backtrackingProblem(pattern)
}

function foreignKeywords({ schema, pointer }: Subschema, dialect: Dialect): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const add = (keyword: string, message: string, code = 'KEYWORD') =>
    problems.push(keywordProblem(pointer, keyword, code, message))
  // ajv never looks at a property of this name, so a schema that describes one would promise what is not checked.
  if (own((own(schema, 'properties') as object | undefined) ?? {}, '__proto__') !== undefined) {
    add('properties', 'may not describe "__proto__".', 'PROPERTY')
  }
  if (Object.hasOwn(schema, '$async')) add('$async', 'is not part of JSON Schema.')
  if (own(schema, 'nullable') === true) {
    add('nullable', 'is not part of JSON Schema; list "null" among the types instead.')
  }
  if (Object.hasOwn(schema, '$recursiveRef')) {
    add('$recursiveRef', 'is not part of draft 2020-12 or draft-07; use "$ref".')
  }
  if (dialect !== '2020-12' && Object.hasOwn(schema, 'prefixItems')) {
    add('prefixItems', 'cannot be mixed with the older tuple form or draft-07; use one of them.')
  }
  if (pointer !== '' && Object.hasOwn(schema, '$schema') && namedDialect(schema.$schema) !== dialect) {
    add('$schema', 'must name the draft of the whole schema.', 'DIALECT')
  }
  return problems
}
