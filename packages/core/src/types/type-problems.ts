import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { compileField } from '../fields/compile-field.js'
import { definitionProblems } from '../fields/definition-problems.js'
import { ID_RULE, isId } from '../ids.js'
import { jsonProblem } from '../json/copy-json.js'
import { getOwn } from '../json/get-own.js'
import { isRecord } from '../json/is-record.js'
import { pointerTo } from '../json/pointer.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import { SLUG_PATTERN } from '../schemas/minion-type.js'
import { describeIssues, type Issue, issuesBelow } from '../validation/issue.js'
import { minionTypeType } from './minion-type-type.js'

const slugPattern = new RegExp(SLUG_PATTERN)

/** The properties of a type: those that `minion-type` stores in fields, and the two it stores in attributes. */
const properties: readonly FieldDefinition[] = [
  { name: 'name', type: 'string', required: true },
  { name: 'description', type: 'string' },
  ...minionTypeType.schema,
]

/** Everything that makes a type unusable; empty when the type can be registered. */
export const typeProblems = guarded('typeProblems', (type: unknown): Issue[] => {
  if (!isRecord(type)) return [{ pointer: '', code: 'type', message: 'must be an object' }]
  const unstorable = jsonProblem(type)
  if (unstorable !== undefined) return [unstorable]
  const issues = properties.flatMap((field) =>
    issuesBelow(pointerTo('', field.name), compileField(field).issues(getOwn(type, field.name))),
  )
  const { slug, schema } = type
  if (!isId(getOwn(type, 'id'))) issues.push({ pointer: '/id', code: 'pattern', message: ID_RULE })
  if (typeof slug === 'string' && slug !== '' && !slugPattern.test(slug)) {
    issues.push({ pointer: '/slug', code: 'pattern', message: 'must be kebab-case, such as meeting-note' })
  }
  if (Array.isArray(schema)) issues.push(...issuesBelow('/schema', definitionProblems(schema)))
  return issues
})

/** Throws `INVALID_TYPE` with all problems when a type cannot be used. */
export function assertUsableType(type: unknown): void {
  const errors = typeProblems(type)
  if (errors.length === 0) return
  const { id, slug } = Object(type) as Readonly<Record<string, unknown>>
  const name = JSON.stringify([id, slug].find((each) => typeof each === 'string') ?? '(without id)')
  throw coreError('INVALID_TYPE', `Type ${name} cannot be used: ${describeIssues(errors, 'it')}.`, {
    details: { type: name, errors },
  })
}
