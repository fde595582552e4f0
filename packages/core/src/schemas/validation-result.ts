import { type Static, Type } from 'typebox'

/** One broken rule. `code` is one of `VALIDATION_CODES`; `value` is the value found. */
export const ValidationErrorSchema = Type.Object({
  field: Type.String(),
  code: Type.String(),
  message: Type.String(),
  value: Type.Unknown(),
  preexisting: Type.Optional(Type.Boolean()),
})

export type ValidationError = Static<typeof ValidationErrorSchema>

/** Everything that is wrong with a set of fields; `valid` is true when nothing is wrong. */
export const ValidationResultSchema = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(ValidationErrorSchema),
})

export type ValidationResult = Static<typeof ValidationResultSchema>
