import type { FieldDefinition } from '../schemas/field-definition.js'
import type { ValidationError, ValidationResult } from '../schemas/validation-result.js'
import { compileField } from './compile-field.js'
import { compileType, type ValidateOptions } from './compile-type.js'

/** Everything that is wrong with one value; an empty list when nothing is. Never throws. */
export function validateField(value: unknown, field: FieldDefinition): ValidationError[] {
  return compileField(field).check(value, undefined) ?? []
}

/** Everything that is wrong with a set of fields, in the order of the schema. Never throws. */
export function validateFields(
  fields: unknown,
  schema: readonly FieldDefinition[],
  options?: ValidateOptions,
): ValidationResult {
  return compileType({ schema }).validate(fields, options)
}
