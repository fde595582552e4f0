import { guarded } from '../errors/guard.js'
import { isRecord } from '../json/is-record.js'
import { isStorable } from '../json/storable.js'
import { type FieldDefinition, FieldDefinitionSchema } from '../schemas/field-definition.js'
import { type Issue, issuesBelow } from '../validation/issue.js'
import { ownSchema } from '../validation/own-schema.js'
import { isAbsent } from './absent.js'
import { compileField } from './compile-field.js'
import { patternProblem } from './pattern.js'

const definitionSchema = ownSchema(FieldDefinitionSchema)

/** Lists everything that makes field definitions unusable, for any input. Never throws. */
export const definitionProblems = guarded('definitionProblems', (schema: readonly FieldDefinition[]): Issue[] => {
  if (!Array.isArray(schema)) return [{ pointer: '', code: 'type', message: 'must be a list of field definitions' }]
  const names = new Set<unknown>()
  return schema.flatMap((field: unknown, index) => {
    const issues = definitionSchema().check(field) ? brokenRules(field) : [...definitionSchema().issues(field)]
    const name = isRecord(field) ? field.name : undefined
    if (names.has(name)) issues.push({ pointer: '/name', code: 'unique', message: 'is the name of an earlier field' })
    if (name !== undefined) names.add(name)
    return issuesBelow(`/${index}`, issues)
  })
})

/** The broken rules that a schema cannot express. */
function brokenRules(field: FieldDefinition): Issue[] {
  const { name, type, options = [], validation = {}, defaultValue } = field
  const { minLength, maxLength, min, max, pattern } = validation
  const issues: Issue[] = []
  const report = (pointer: string, code: string, message: string) => issues.push({ pointer, code, message })
  if (!isStorable(name)) report('/name', 'characters', 'must not contain U+0000 or a lone surrogate')
  const isChoice = type === 'select' || type === 'multi-select'
  if (isChoice && options.length === 0) report('/options', 'required', 'must have options to choose from')
  if (!options.every(isStorable)) report('/options', 'characters', 'must not contain U+0000 or a lone surrogate')
  if (new Set(options).size < options.length) report('/options', 'uniqueItems', 'must not have the same option twice')
  if (Number(minLength) > Number(maxLength)) report('/validation', 'range', 'has a `minLength` above its `maxLength`')
  if (Number(min) > Number(max)) report('/validation', 'range', 'has a `min` above its `max`')
  const unusable = pattern === undefined ? undefined : patternProblem(pattern)
  if (unusable !== undefined) report('/validation/pattern', 'pattern', unusable)
  // The default is checked against the definition, so only against a sound one.
  if (issues.length > 0 || isAbsent(defaultValue)) return issues
  return issuesBelow('/defaultValue', compileField(field).issues(defaultValue))
}
