import { guarded } from '../errors/guard.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { ValidationError, ValidationResult } from '../schemas/validation-result.js'
import { isAbsent } from './absent.js'
import { type CompiledField, compileField, type Errors } from './compile-field.js'
import { type FastPath, generateFastPath } from './fast-path.js'

export interface ValidateOptions {
  /** Reports keys that the type has no field for; otherwise they are left alone. Default: false. */
  readonly strict?: boolean
}

/** The validator of one type's fields. */
export interface CompiledType {
  /** Reports everything that is wrong with the fields. Never throws and never changes them. */
  validate(fields: unknown, options?: ValidateOptions): ValidationResult
}

const compiled = new WeakMap<readonly FieldDefinition[], FieldsValidator>()

/** Compiles a type's schema and keeps the result for as long as the schema lives and has as many fields. */
export const compileType = guarded('compileType', compileTypeUnchecked)

export function compileTypeUnchecked(type: { readonly schema: readonly FieldDefinition[] }): CompiledType {
  const { schema } = type
  const known = compiled.get(schema)
  if (known !== undefined && known.size === schema.length) return known
  const validator = new FieldsValidator(schema)
  compiled.set(schema, validator)
  return validator
}

/** True when a value is absent or has the type and is among the options of the field; `validation` limits apart. */
export const fits = guarded('fits', fitsUnchecked)

function fitsUnchecked(value: unknown, field: FieldDefinition): boolean {
  return isAbsent(value) || compileField(field).checkValue(value) === undefined
}

/** Generating code pays only for a schema that is used often. */
const FREQUENT_USE = 50

class FieldsValidator implements CompiledType {
  readonly size: number
  readonly #definitions: readonly FieldDefinition[]
  readonly #fields: readonly CompiledField[]
  #fastPath: FastPath | undefined
  #uses = 0

  constructor(schema: readonly FieldDefinition[]) {
    this.size = schema.length
    this.#definitions = [...schema]
    this.#fields = schema.map(compileField)
  }

  validate(fields: unknown, options?: ValidateOptions): ValidationResult {
    let errors: Errors
    try {
      if (this.#isPlainlyValid(fields, options)) return { valid: true, errors: [] }
      errors = this.#errorsIn(fields, options?.strict === true)
    } catch (error) {
      // A getter or a proxy of the caller's.
      errors = [notReadable(fields, `cannot be read: ${String(error)}`)]
    }
    return errors === undefined ? { valid: true, errors: [] } : { valid: false, errors }
  }

  #isPlainlyValid(fields: unknown, options: ValidateOptions | undefined): boolean {
    if (this.#fastPath === undefined) {
      if (++this.#uses === FREQUENT_USE) this.#fastPath = generateFastPath(this.#definitions, this.#fields)
      return false
    }
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields) || options?.strict === true) return false
    return this.#fastPath(fields)
  }

  #errorsIn(fields: unknown, strict: boolean): Errors {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      return [notReadable(fields, 'must be an object')]
    }
    const values = fields as Record<string, unknown>
    let errors: Errors
    for (let index = 0; index < this.#fields.length; index++) {
      const field = this.#fields[index] as CompiledField
      errors = field.check(Object.hasOwn(values, field.name) ? values[field.name] : undefined, errors)
    }
    return strict ? this.#addUnknown(values, errors) : errors
  }

  #addUnknown(values: Record<string, unknown>, errors: Errors): Errors {
    const known = new Set(this.#fields.map((field) => field.name))
    const unknown = Object.keys(values).filter((key) => !known.has(key))
    if (unknown.length === 0) return errors
    const found = unknown.map((key): ValidationError => {
      const message = `Field ${JSON.stringify(key)} is not part of the type.`
      return { field: key, code: 'unknown_field', message, value: values[key] }
    })
    return [...(errors ?? []), ...found]
  }
}

function notReadable(fields: unknown, text: string): ValidationError {
  return { field: '', code: 'type', message: `The fields ${text}.`, value: fields }
}
