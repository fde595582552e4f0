import { jsonProblem } from '@minions/core'
import { recordValidator } from '../record-validator.js'
import { schemaIssues } from '../schema/schema-problems.js'
import {
  attributeIssue,
  checkAnything,
  isRecord,
  own,
  type ValidationIssue,
  type ValidationResult,
  validationResult,
} from '../validation.js'
import { RUNTIME_KEYS } from './skill.js'
import { SkillSchema } from './skill-schema.js'

const SCHEMA_ATTRIBUTES = ['parameters_schema', 'returns_schema'] as const

const validateRecord = recordValidator('skill', SkillSchema)

/**
 * Checks a skill, as a record or with its code, against every rule that needs no other skill. Pure; an attribute that
 * is null counts as absent. Whether dependencies exist and form no circle is for the registry to say.
 */
export function validateSkill(skill: unknown): ValidationResult {
  return checkAnything('A skill', () => check(skill))
}

function check(skill: unknown): ValidationResult {
  if (!isRecord(skill)) return validationResult([attributeIssue('', 'TYPE', 'A skill must be an object.')])
  const record = attributes(skill)
  const errors: ValidationIssue[] = [...validateRecord(record)]
  for (const field of SCHEMA_ATTRIBUTES) {
    const schema = own(record, field)
    if (isRecord(schema)) errors.push(...schemaIssues(field, schema))
  }
  for (const key of Object.keys(record)) {
    if ((SCHEMA_ATTRIBUTES as readonly string[]).includes(key)) continue
    const problem = jsonProblem(record[key])
    if (problem) errors.push(attributeIssue(key, 'JSON', `"${key}" ${problem.pointer} ${problem.message}.`))
  }
  errors.push(...codeIssues(skill))
  return validationResult(errors)
}

/** The attributes of the record: own properties that are neither null nor code. */
function attributes(skill: Record<string, unknown>): Record<string, unknown> {
  const runtime: readonly string[] = RUNTIME_KEYS
  return Object.fromEntries(
    Object.entries(skill).filter(([key, value]) => value !== null && value !== undefined && !runtime.includes(key)),
  )
}

/** A skill may come without code, but code that is there must be able to run where it says. */
function codeIssues(skill: Record<string, unknown>): ValidationIssue[] {
  const { execute, isolation, module } = {
    execute: own(skill, 'execute') ?? undefined,
    isolation: own(skill, 'isolation') ?? 'inline',
    module: own(skill, 'module') ?? undefined,
  }
  const errors: ValidationIssue[] = []
  if (execute !== undefined && typeof execute !== 'function') {
    errors.push(attributeIssue('execute', 'TYPE', '"execute" must be a function.'))
  }
  if (isolation !== 'inline' && isolation !== 'worker') {
    errors.push(attributeIssue('isolation', 'ENUM', '"isolation" must be one of inline, worker.', isolation))
  }
  if (module !== undefined && typeof module !== 'string' && !(module instanceof URL)) {
    errors.push(attributeIssue('module', 'TYPE', '"module" must be the URL of a module.'))
  }
  const steps = own(skill, 'steps') ?? undefined
  if (steps !== undefined && !(Array.isArray(steps) && steps.every(Array.isArray))) {
    errors.push(attributeIssue('steps', 'TYPE', '"steps" must come from composeSkill.'))
  }
  if (isolation === 'worker' && execute !== undefined) {
    errors.push(
      attributeIssue(
        'execute',
        'CLOSURE',
        '"execute" cannot be sent to a worker; name a "module" and its "export" instead.',
      ),
    )
  }
  if (isolation === 'worker' && execute === undefined && module === undefined) {
    errors.push(attributeIssue('module', 'REQUIRED', '"module" is required when "isolation" is worker.'))
  }
  return errors
}
