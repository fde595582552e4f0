import { ID_RULE } from '../ids.js'
import type { ValidationError, ValidationResult } from '../schemas/validation-result.js'
import type { HasSchema, MinionOf } from '../types/fields-of.js'
import type { Refusal } from './take-values.js'

/** A written minion and its validation result. An invalid minion is returned too, but must not be stored. */
export interface MinionResult<T extends HasSchema> {
  readonly minion: MinionOf<T>
  readonly validation: ValidationResult
}

/** Adds the reasons why values were refused, unless a validator already reported them. */
export function withRefusals(
  errors: readonly ValidationError[],
  refused: readonly Refusal[],
): readonly ValidationError[] {
  if (refused.length === 0) return errors
  const reported = new Set(errors.map((error) => error.field))
  const others = refused.filter(({ name }) => !reported.has(name))
  return [...errors, ...others.map(({ name, value, message }) => ({ field: name, code: 'json', message, value }))]
}

export function notAnObject(field: string, value: unknown): ValidationError {
  return { field, code: 'type', message: `${field} must be a plain object that can be read.`, value }
}

export function notSettable(name: string, value: unknown): ValidationError {
  const message = `${name} is not an attribute that can be set; values of the type belong in fields.`
  return { field: name, code: 'unknown_field', message, value }
}

export function otherType(value: unknown, typeId: unknown): ValidationError {
  const message = `minionTypeId must be ${JSON.stringify(typeId)}, the id of the type.`
  return { field: 'minionTypeId', code: 'option', message, value }
}

export function notAnId(value: unknown): ValidationError {
  return { field: 'id', code: 'pattern', message: `id ${ID_RULE}.`, value }
}
