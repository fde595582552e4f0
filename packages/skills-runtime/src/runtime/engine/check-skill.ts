import { copyJson, isRecord, type JsonObject } from '@minions/core/json'
import { type CompiledSchema, compileSchema, issueAt } from '@minions/core/schema'
import { skillsError } from '../../errors.js'
import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import { assertValid, validationIssues } from '../../validation.js'

const PARAMETERS = 'The parameters of'
const RESULT = 'The result of'

/** Parameters with the schema's defaults filled in. Throws `VALIDATION_FAILED` if they do not match it. */
export function completeParameters(skill: RegisteredSkill, params: unknown): JsonObject {
  if (params !== undefined && !isRecord(params)) throw notAnObject(PARAMETERS, skill)
  const schema = compileSchema(skill.parameters_schema)
  const complete = schema.complete(params ?? {})
  assertFits(PARAMETERS, skill, schema, complete)
  return complete as JsonObject
}

/**
 * A copy of what a skill returned. Throws if it is not a JSON object or does not match the skill's `returns_schema`.
 */
export function checkResult(skill: RegisteredSkill, result: unknown): JsonObject {
  if (!isRecord(result)) throw notAnObject(RESULT, skill)
  const copy = copyJson(result, `${RESULT} "${skill.name}"`) as JsonObject
  if (skill.returns_schema != null) assertFits(RESULT, skill, compileSchema(skill.returns_schema), copy)
  return copy
}

/** True for an error about invalid parameters or skills, as opposed to any other failure. */
export function isUnfit(error: unknown): boolean {
  return skillsError.is(error, 'NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_SCHEMA')
}

function notAnObject(part: string, { name }: RegisteredSkill) {
  return skillsError('VALIDATION_FAILED', `${part} "${name}" must be a JSON object.`, {
    details: { errors: [issueAt('', 'TYPE', 'must be a JSON object')] },
  })
}

/** Schemas of registered skills are frozen, so each is compiled once. */
function assertFits(part: string, { name }: RegisteredSkill, schema: CompiledSchema, value: unknown): void {
  if (!schema.check(value)) assertValid(`${part} "${name}"`, validationIssues(schema.issues(value)))
}
