import { guarded } from '../errors/guard.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { ValidationError, ValidationResult } from '../schemas/validation-result.js'
import { compileField } from './compile-field.js'
import { compileTypeUnchecked as compileType, type ValidateOptions } from './compile-type.js'

/** Everything that is wrong with one value; an empty list when nothing is. Never throws. */
export const validateField = guarded('validateField', validateFieldUnchecked, { anyLength: true })

function validateFieldUnchecked(value: unknown, field: FieldDefinition): ValidationError[] {
  return compileField(field).errors(value)
}

/** Everything that is wrong with a set of fields, in the order of the schema. Never throws. */
export const validateFields = guarded(
  'validateFields',
  (fields: unknown, schema: readonly FieldDefinition[], options?: ValidateOptions): ValidationResult =>
    compileType({ schema }).validate(fields, options),
  { anyLength: true },
)
