import { copyJson, isMinionsError, type JsonObject } from '@minions/core'
import { skillsError } from '../errors.js'
import type { RegisteredSkill } from '../registry/skill-registry.js'
import { type CompiledSchema, compileSchema } from '../schema/compile-schema.js'
import { assertValid, isRecord } from '../validation.js'

interface Compiled {
  readonly parameters: CompiledSchema
  readonly returns: CompiledSchema | undefined
}

const compiled = new WeakMap<RegisteredSkill, Compiled>()

/** Parameters with the schema's defaults filled in. Throws `VALIDATION_FAILED` when they do not fit it. */
export function completeParameters(skill: RegisteredSkill, params: unknown): JsonObject {
  const what = `The parameters of "${skill.name}"`
  if (params !== undefined && !isRecord(params)) throw notAnObject(what)
  const { parameters } = schemasOf(skill)
  const complete = parameters.complete(params ?? {})
  assertValid(what, parameters.validate(complete))
  return complete as JsonObject
}

/** A copy of what a skill returned. Throws when it is not a JSON object or does not fit the skill's `returns_schema`. */
export function checkResult(skill: RegisteredSkill, result: unknown): JsonObject {
  const what = `The result of "${skill.name}"`
  if (!isRecord(result)) throw notAnObject(what)
  const copy = copyJson(result, what) as JsonObject
  const { returns } = schemasOf(skill)
  if (returns !== undefined) assertValid(what, returns.validate(copy))
  return copy
}

/** Whether an error says that parameters or a skill cannot be used, and not that something else went wrong. */
export function isUnfit(error: unknown): boolean {
  return isMinionsError(error) && ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_SCHEMA'].includes(error.code)
}

function notAnObject(what: string) {
  return skillsError('VALIDATION_FAILED', `${what} must be a JSON object.`, {
    details: { errors: [{ field: '', code: 'TYPE', message: `${what} must be a JSON object.`, pointer: '' }] },
  })
}

function schemasOf(skill: RegisteredSkill): Compiled {
  let schemas = compiled.get(skill)
  if (schemas === undefined) {
    schemas = {
      parameters: compileSchema(skill.parameters_schema),
      returns: skill.returns_schema == null ? undefined : compileSchema(skill.returns_schema),
    }
    compiled.set(skill, schemas)
  }
  return schemas
}
