import type { FieldDefinition } from '../schemas/field-definition.js'
import type { ValidationError } from '../schemas/validation-result.js'
import { isAbsent } from './absent.js'
import type { Problem } from './codes.js'
import { compileConstraints } from './constraints.js'
import { compileValueCheck, problem, type ValueCheck } from './value-check.js'

/** Errors found so far; no list is made before there is something to put in. */
export type Errors = ValidationError[] | undefined

export interface CompiledField {
  readonly name: string
  readonly checkValue: ValueCheck
  /** Adds what is wrong with the value to the errors found so far, and returns them. */
  check(value: unknown, errors: Errors): Errors
}

const compiled = new WeakMap<FieldDefinition, CompiledField>()

/** Turns a definition into closures, once per definition object. */
export function compileField(field: FieldDefinition): CompiledField {
  let result = compiled.get(field)
  if (result === undefined) {
    result = makeField(field)
    compiled.set(field, result)
  }
  return result
}

function makeField(field: FieldDefinition): CompiledField {
  const { name } = field
  const missing = field.required === true ? problem(field, 'required', 'is required') : undefined
  const checkValue = compileValueCheck(field)
  const constraints = compileConstraints(field)

  const add = (errors: Errors, { code, message }: Problem, value: unknown): ValidationError[] => {
    const error = { field: name, code, message, value }
    if (errors === undefined) return [error]
    errors.push(error)
    return errors
  }

  const check = (value: unknown, errors: Errors): Errors => {
    if (isAbsent(value)) return missing === undefined ? errors : add(errors, missing, value)
    const found = checkValue(value)
    let all = found === undefined ? errors : add(errors, found, value)
    // Of a value of another type, limits say nothing.
    if (found !== undefined && found.code === 'type') return all
    for (let index = 0; index < constraints.length; index++) {
      const broken = (constraints[index] as ValueCheck)(value)
      if (broken !== undefined) all = add(all, broken, value)
    }
    return all
  }

  return { name, checkValue, check }
}
