import type { MinionOf } from '@minions/core'
import { isRecord, type JsonValue } from '@minions/core/json'
import { promptsError } from '../errors.js'
import type { promptVariableType, VariableType } from '../types/prompt-variable.js'

/** The declaration of a variable; its title is the variable's name. */
export type PromptVariableMinion = MinionOf<typeof promptVariableType>

/** True if a value has a variable's type. */
export function fitsVariable(value: unknown, type: VariableType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

/**
 * The stored form of a default value: itself for strings, JSON for other types. Throws `VARIABLE_INVALID`, including
 * for an empty string, which a field cannot hold.
 */
export function serializeDefault(name: string, type: VariableType, value: JsonValue): string {
  const text = typeof value === 'string' ? value : type === 'string' ? undefined : JSON.stringify(value)
  if (text) {
    parseDefault(name, type, text)
    return text
  }
  throw unfitDefault(name, type, value)
}

/** The default value of a declared variable; undefined when it has none. Throws `VARIABLE_INVALID`. */
export function defaultOf({ title, fields }: PromptVariableMinion): unknown {
  const { variableType, defaultValue } = fields
  return defaultValue === undefined ? undefined : parseDefault(title, variableType, defaultValue)
}

function parseDefault(name: string, type: VariableType, text: string): unknown {
  if (type === 'string') return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw unfitDefault(name, type, text, cause)
  }
  if (fitsVariable(value, type)) return value
  throw unfitDefault(name, type, text)
}

function unfitDefault(name: string, type: VariableType, value: unknown, cause?: unknown): Error {
  const form = type === 'string' ? 'a non-empty string' : `JSON of type ${type}`
  return promptsError('VARIABLE_INVALID', `The default value of variable "${name}" must be ${form}.`, {
    details: { variable: name, variableType: type, value },
    cause,
  })
}
