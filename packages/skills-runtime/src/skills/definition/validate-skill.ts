import { getOwn, isRecord, jsonProblem, pointerTo } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { isStandardSchema, schemaIssues } from '@minions/core/schema'
import {
  attributeIssue,
  checkAnything,
  recordValidator,
  type ValidationIssue,
  type ValidationResult,
  validationResult,
} from '../../validation.js'
import { RUNTIME_KEYS } from './skill.js'
import { AgentSkillRecordSchema, SKILL_LIMITS, SkillSchema } from './skill-schema.js'

const SCHEMA_ATTRIBUTES = ['parameters_schema', 'returns_schema'] as const

const validateRecord = recordValidator('skill', SkillSchema)
const validateAgentSkill = recordValidator('skill', AgentSkillRecordSchema)

/**
 * Checks a skill, as a record or with its code, against every rule that needs no other skill. Pure; a null attribute
 * counts as absent. The registry checks that dependencies exist and form no cycle.
 */
export const validateSkill = guarded('validateSkill', validateSkillUnchecked)

function validateSkillUnchecked(skill: unknown): ValidationResult {
  return checkAnything('A skill', () => check(skill))
}

function check(skill: unknown): ValidationResult {
  if (!isRecord(skill)) return validationResult([attributeIssue('', 'TYPE', 'A skill must be an object.')])
  const record = attributes(skill)
  const errors: ValidationIssue[] = []
  for (const field of SCHEMA_ATTRIBUTES) {
    const schema = getOwn(record, field)
    if (!isRecord(schema) && !isStandardSchema(schema)) continue
    errors.push(...schemaErrors(field, schema))
    // Some Standard Schemas are functions; their content has been checked.
    record[field] = {}
  }
  const validate = getOwn(record, 'agent_skill') === undefined ? validateRecord : validateAgentSkill
  errors.unshift(...validate(record))
  for (const key of Object.keys(record)) {
    if ((SCHEMA_ATTRIBUTES as readonly string[]).includes(key)) continue
    const problem = jsonProblem(record[key])
    if (problem) errors.push(attributeIssue(key, 'JSON', `"${key}" ${problem.pointer} ${problem.message}.`))
  }
  errors.push(...codeIssues(skill))
  return validationResult(errors)
}

/** Issues of a schema, as errors of the attribute that holds it. */
function schemaErrors(field: string, schema: object): ValidationIssue[] {
  return schemaIssues(schema).map(({ code, message, pointer }) => ({
    field,
    code: `SCHEMA_${code}`,
    message: `"${field}" is not a valid schema: ${pointer || 'it'} ${message}.`,
    pointer: pointerTo('', field) + pointer,
  }))
}

/** The attributes of the record: own properties that are neither null nor code. */
function attributes(skill: Record<string, unknown>): Record<string, unknown> {
  const runtime: readonly string[] = RUNTIME_KEYS
  return Object.fromEntries(
    Object.entries(skill).filter(([key, value]) => value !== null && value !== undefined && !runtime.includes(key)),
  )
}

/** A timeout is given in seconds or in milliseconds. */
function timeoutIssues(skill: Record<string, unknown>): ValidationIssue[] {
  const timeoutMs = getOwn(skill, 'timeoutMs') ?? undefined
  if (timeoutMs === undefined) return []
  const timeout = getOwn(skill, 'timeout') ?? undefined
  // A completed skill has both, with the same value.
  if (timeout !== undefined && timeout !== Math.ceil(Number(timeoutMs) / 1000)) {
    return [attributeIssue('timeoutMs', 'EXCLUSIVE', '"timeoutMs" replaces "timeout"; give only one of them.')]
  }
  const most = SKILL_LIMITS.timeout.max * 1000
  const isRight = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= most
  if (isRight) return []
  return [attributeIssue('timeoutMs', 'TYPE', `"timeoutMs" must be a number above 0, at most ${most}.`, timeoutMs)]
}

/** A skill may have no code, but given code must be able to run in its isolation. */
function codeIssues(skill: Record<string, unknown>): ValidationIssue[] {
  const { execute, isolation, module } = {
    execute: getOwn(skill, 'execute') ?? undefined,
    isolation: getOwn(skill, 'isolation') ?? 'inline',
    module: getOwn(skill, 'module') ?? undefined,
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
  errors.push(...timeoutIssues(skill))
  const steps = getOwn(skill, 'steps') ?? undefined
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
