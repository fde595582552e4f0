import { compileTypeUnchecked as compileType } from '../fields/compile-type.js'
import type { ValidationError } from '../schemas/validation-result.js'
import type { HasSchema } from '../types/fields-of.js'
import { takeValues } from './take-values.js'

export interface CheckedFields {
  readonly fields: Record<string, unknown>
  /** The string values among the fields. */
  readonly text: string
  readonly errors: readonly ValidationError[]
}

/** Turns values that are not shared into the fields of a minion, and reports what is wrong with them. */
export function checkFields(own: Record<string, unknown>, type: HasSchema): CheckedFields {
  const { values, given, refused, text, storable } = takeValues(own, type.schema)
  const validator = compileType(type)
  const { errors } = storable ? validator.validateStorable(given) : validator.validate(given)
  if (refused.length === 0) return { fields: values, text, errors }
  // A validator may have reported them already.
  const reported = new Set(errors.map(({ field }) => field))
  return { fields: values, text, errors: [...errors, ...refused.filter(({ field }) => !reported.has(field))] }
}
