import { copyJson, isRecord, type JsonObject } from '@minions/core/json'
import { type CompiledSchema, compileSchema } from '@minions/core/schema'
import { skillsError } from '../../errors.js'
import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import { assertValid, validationIssues } from '../../validation.js'

/** Parameters with the schema's defaults filled in. Throws `VALIDATION_FAILED` when they do not fit it. */
export function completeParameters(skill: RegisteredSkill, params: unknown): JsonObject {
  const what = `The parameters of "${skill.name}"`
  if (params !== undefined && !isRecord(params)) throw notAnObject(what)
  const schema = compileSchema(skill.parameters_schema)
  const complete = schema.complete(params ?? {})
  assertFits(what, schema, complete)
  return complete as JsonObject
}

/** A copy of what a skill returned. Throws when it is not a JSON object or does not fit the skill's `returns_schema`. */
export function checkResult(skill: RegisteredSkill, result: unknown): JsonObject {
  const what = `The result of "${skill.name}"`
  if (!isRecord(result)) throw notAnObject(what)
  const copy = copyJson(result, what) as JsonObject
  if (skill.returns_schema != null) assertFits(what, compileSchema(skill.returns_schema), copy)
  return copy
}

/** Whether an error says that parameters or a skill cannot be used, and not that something else went wrong. */
export function isUnfit(error: unknown): boolean {
  return skillsError.is(error, 'NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_SCHEMA')
}

function notAnObject(what: string) {
  return skillsError('VALIDATION_FAILED', `${what} must be a JSON object.`, {
    details: { errors: [{ field: '', code: 'TYPE', message: `${what} must be a JSON object.`, pointer: '' }] },
  })
}

/** Schemas of registered skills are frozen, so each is compiled once. */
function assertFits(what: string, schema: CompiledSchema, value: unknown): void {
  if (!schema.check(value)) assertValid(what, validationIssues(schema.issues(value)))
}
