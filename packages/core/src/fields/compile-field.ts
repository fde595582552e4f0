import { getOrInsert } from '../json/get-or-insert.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { ValidationError } from '../schemas/validation-result.js'
import type { Issue } from '../validation/issue.js'
import { Validator } from '../validation/validator.js'
import { isAbsent } from './absent.js'
import type { ValidationCode } from './codes.js'
import { FIELD_MATCHERS, fieldSchema } from './field-schema.js'

/** Field codes for keywords that have another name. */
const CODES: Readonly<Record<string, ValidationCode>> = {
  enum: 'option',
  minimum: 'min',
  maximum: 'max',
  storable: 'characters',
  unreadable: 'json',
  depth: 'json',
}

const LISTED = 10

const compiled = new WeakMap<FieldDefinition, CompiledField>()

/** Compiles a definition, once per definition object. */
export function compileField(definition: FieldDefinition): CompiledField {
  return getOrInsert(compiled, definition, () => new CompiledField(definition))
}

export class CompiledField {
  readonly name: string
  readonly required: boolean
  /** The rules for a value that is not absent. */
  readonly schema: Record<string, unknown>
  readonly #title: string
  readonly #validator: Validator

  constructor(definition: FieldDefinition) {
    this.name = definition.name
    this.#title = `Field ${JSON.stringify(definition.name)}`
    this.required = definition.required === true
    this.schema = fieldSchema(definition)
    this.#validator = new Validator({ ...this.schema, $defs: {} }, FIELD_MATCHERS)
  }

  issues(value: unknown): Issue[] {
    if (isAbsent(value)) return this.required ? [{ pointer: '', code: 'required', message: 'is required' }] : []
    return this.#validator.check(value) ? [] : this.#validator.issues(value)
  }

  /** The same as errors of the field, with one error for all list elements that break a rule. */
  errors(value: unknown): ValidationError[] {
    const issues = this.issues(value)
    if (issues.length === 0) return []
    const errors: ValidationError[] = []
    const elements = new Map<string, Issue[]>()
    for (const issue of issues) {
      const { pointer, code, message } = issue
      if (pointer === '') errors.push(this.#error(code, message, value))
      else elements.set(code, [...(elements.get(code) ?? []), issue])
    }
    for (const [code, broken] of elements) {
      const indexes = broken.slice(0, LISTED).map(({ pointer }) => pointer.slice(1))
      errors.push(this.#error(code, `at index ${indexes.join(', ')} ${broken[0]?.message}`, value))
    }
    return errors
  }

  #error(keyword: string, rule: string, value: unknown): ValidationError {
    return { field: this.name, code: CODES[keyword] ?? keyword, message: `${this.#title} ${rule}.`, value }
  }
}
