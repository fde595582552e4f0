/** Every validation error code, with its meaning. */
export const VALIDATION_CODES = {
  required: 'The field is required and its value is absent: undefined, null or an empty string.',
  type: 'The value is of another type than the field.',
  format: 'The text is not a date, url or email.',
  option: 'The value, or an element of it, is not among the options of the field.',
  characters: 'The text contains U+0000 or a lone surrogate, which cannot be stored.',
  json: 'The value, or something inside it, is not JSON or is nested too deeply.',
  minLength: 'The text has fewer code points than `minLength`.',
  maxLength: 'The text has more code points than `maxLength`.',
  min: 'The number is below `min`.',
  max: 'The number is above `max`.',
  pattern: 'The text does not match `pattern`, or is too long to be matched against it.',
  invalid_pattern: 'The `pattern` of the field cannot be used, so no value can pass.',
  unknown_type: 'The definition has a `type` that does not exist, so no value can pass.',
  unknown_field: 'The type has no field of this name; reported in strict mode only.',
}
export type ValidationCode = keyof typeof VALIDATION_CODES
