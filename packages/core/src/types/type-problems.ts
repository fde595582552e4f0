import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { compileType } from '../fields/compile-type.js'
import { definitionProblems } from '../fields/definition-problems.js'
import { isId } from '../ids.js'
import { type JsonProblem, jsonProblem } from '../json/copy-json.js'
import { pointerTo } from '../json/pointer.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import { SLUG_PATTERN } from '../schemas/minion-type.js'
import { minionTypeType } from './minion-type-type.js'

const slugPattern = new RegExp(SLUG_PATTERN)

/** The properties of a type: those that `minion-type` stores in fields, and the two it stores in attributes. */
const properties: { readonly schema: readonly FieldDefinition[] } = {
  schema: [
    { name: 'name', type: 'string', required: true },
    { name: 'description', type: 'string' },
    ...minionTypeType.schema,
  ],
}

/** Everything that makes a type unusable, each with the JSON Pointer to it; empty when the type can be registered. */
export const typeProblems = guarded('typeProblems', typeProblemsUnchecked)

function typeProblemsUnchecked(type: unknown): JsonProblem[] {
  if (typeof type !== 'object' || type === null || Array.isArray(type)) {
    return [{ pointer: '', message: 'A type must be an object.' }]
  }
  const unstorable = jsonProblem(type)
  if (unstorable !== undefined) return [unstorable]
  const { id, slug, schema } = type as Readonly<Record<string, unknown>>
  const problems: JsonProblem[] = compileType(properties)
    .validate(type)
    .errors.map(({ field, message }) => ({ pointer: pointerTo('', field), message }))
  if (!Object.hasOwn(type, 'id') || !isId(id)) {
    problems.push({ pointer: '/id', message: 'The id must be 1 to 128 letters, digits and . _ / : - without "..".' })
  }
  if (typeof slug === 'string' && slug !== '' && !slugPattern.test(slug)) {
    problems.push({ pointer: '/slug', message: 'The slug must be kebab-case, such as meeting-note.' })
  }
  if (Array.isArray(schema)) {
    for (const { pointer, message } of definitionProblems(schema))
      problems.push({ pointer: `/schema${pointer}`, message })
  }
  return problems
}

/** Throws `INVALID_TYPE` with all problems when a type cannot be used. */
export function assertUsableType(type: unknown): void {
  const problems = typeProblems(type)
  if (problems.length === 0) return
  const name = nameOf(type)
  const list = problems.map(({ pointer, message }) => `${pointer || '/'}: ${message}`).join(' ')
  throw coreError('INVALID_TYPE', `Type ${name} cannot be used: ${list}`, { details: { type: name, problems } })
}

function nameOf(type: unknown): string {
  const { id, slug } = (type ?? {}) as Readonly<Record<string, unknown>>
  return JSON.stringify(typeof id === 'string' ? id : typeof slug === 'string' ? slug : '(without id)')
}
