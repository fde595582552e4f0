import { ID_RULE } from '../ids.js'
import type { ValidationError, ValidationResult } from '../schemas/validation-result.js'
import type { HasSchema, MinionOf } from '../types/fields-of.js'

/** A written minion and its validation result. An invalid minion is returned too, but must not be stored. */
export interface MinionResult<T extends HasSchema> {
  readonly minion: MinionOf<T>
  readonly validation: ValidationResult
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
