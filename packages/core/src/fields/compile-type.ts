import { guarded, requireLength } from '../errors/guard.js'
import { messageOf } from '../errors/message-of.js'
import { getOwn } from '../json/get-own.js'
import { isRecord } from '../json/is-record.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { ValidationError, ValidationResult } from '../schemas/validation-result.js'
import type { FieldRule } from '../validation/applicators.js'
import { Validator } from '../validation/validator.js'
import { isAbsent } from './absent.js'
import { type CompiledField, compileField } from './compile-field.js'
import { FIELD_MATCHERS, ofStorable, valueSchema } from './field-schema.js'

export interface ValidateOptions {
  /** Report keys that the type has no field for; otherwise they are ignored. Default: false. */
  readonly strict?: boolean
}

/** The validator of one type's fields. */
export interface CompiledType {
  /** Reports everything that is wrong with the fields. Never throws and never changes them. */
  validate(fields: unknown, options?: ValidateOptions): ValidationResult
}

const compiled = new WeakMap<readonly FieldDefinition[], FieldsValidator>()

/** Compiles a type's schema and caches the result for as long as the schema lives and has the same number of fields. */
export const compileType = guarded(
  'compileType',
  (type: { readonly schema: readonly FieldDefinition[] }): CompiledType => compileTypeUnchecked(type),
)

export function compileTypeUnchecked(type: { readonly schema: readonly FieldDefinition[] }): FieldsValidator {
  const { schema } = type
  const known = compiled.get(schema)
  if (known !== undefined && known.size === schema.length) return known
  requireLength(schema)
  const validator = new FieldsValidator(schema)
  compiled.set(schema, validator)
  return validator
}

const valueValidators = new WeakMap<FieldDefinition, Validator>()

/** True for an absent value, or one of the field's type and among its options; `validation` is not checked. */
export const fits = guarded('fits', (value: unknown, field: FieldDefinition): boolean => {
  if (isAbsent(value)) return true
  const validator = valueValidators.get(field) ?? new Validator({ ...valueSchema(field), $defs: {} }, FIELD_MATCHERS)
  valueValidators.set(field, validator)
  return validator.check(value)
})

class FieldsValidator implements CompiledType {
  readonly size: number
  readonly #fields: readonly CompiledField[]
  readonly #validator: Validator
  /** The same rules but that for the characters of texts. */
  readonly #ofStorable: Validator

  constructor(schema: readonly FieldDefinition[]) {
    this.size = schema.length
    this.#fields = schema.map(compileField)
    this.#validator = validatorOf(this.#fields)
    this.#ofStorable = validatorOf(
      this.#fields.map(({ name, required, schema }) => ({ name, required, schema: ofStorable(schema) })),
    )
  }

  /** Like `validate`, for fields in which every text is known to be storable: reading them is most of the work. */
  validateStorable(fields: unknown): ValidationResult {
    return this.#ofStorable.check(fields) ? { valid: true, errors: [] } : this.validate(fields)
  }

  validate(fields: unknown, options?: ValidateOptions): ValidationResult {
    const strict = options?.strict === true
    if (!strict && this.#validator.check(fields)) return { valid: true, errors: [] }
    try {
      const errors = this.#errorsIn(fields, strict)
      return { valid: errors.length === 0, errors }
    } catch (error) {
      // A getter or a proxy of the caller.
      return { valid: false, errors: [notReadable(fields, `cannot be read: ${messageOf(error)}`)] }
    }
  }

  #errorsIn(fields: unknown, strict: boolean): ValidationError[] {
    if (!isRecord(fields)) return [notReadable(fields, 'must be an object')]
    const errors: ValidationError[] = []
    for (const field of this.#fields) {
      for (const error of field.errors(getOwn(fields, field.name))) errors.push(error)
    }
    if (!strict) return errors
    const known = new Set(this.#fields.map(({ name }) => name))
    for (const field of Object.keys(fields)) {
      if (known.has(field)) continue
      const message = `Field ${JSON.stringify(field)} is not part of the type.`
      errors.push({ field, code: 'unknown_field', message, value: fields[field] })
    }
    return errors
  }
}

function validatorOf(fields: readonly FieldRule[]): Validator {
  return new Validator({ type: 'object', fields, $defs: {} }, FIELD_MATCHERS)
}

function notReadable(fields: unknown, text: string): ValidationError {
  return { field: '', code: 'type', message: `The fields ${text}.`, value: fields }
}
