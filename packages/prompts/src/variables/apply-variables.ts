import { setOwn } from '@minions/core/json'
import { RendererError } from '../template/renderer-error.js'
import { defaultOf, fitsVariable, type PromptVariableMinion } from './variable-value.js'

/** Values to render with, and the required names. */
export interface AppliedVariables {
  readonly values: Readonly<Record<string, unknown>>
  readonly requiredVariables: readonly string[]
}

/**
 * Combines given values with declarations: defaults replace values that were not given (including null), and required
 * variables must be given. Throws one `VARIABLE_INVALID` that names every value of the wrong type.
 */
export function applyVariables(
  declared: readonly PromptVariableMinion[],
  given: Readonly<Record<string, unknown>>,
): AppliedVariables {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new RendererError('VARIABLE_INVALID', 'Variables must be an object that maps names to values.')
  }
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) setOwn(values, name, value)
  const requiredVariables: string[] = []
  const unfit: string[] = []
  for (const variable of declared) {
    const { title: name, fields } = variable
    const value = Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined
    if (value !== undefined) {
      if (!fitsVariable(value, fields.variableType)) unfit.push(`"${name}" must be of type ${fields.variableType}`)
    } else if (fields.required) {
      requiredVariables.push(name)
      delete values[name]
    } else {
      const fallback = defaultOf(variable)
      if (fallback !== undefined) setOwn(values, name, fallback)
    }
  }
  if (unfit.length === 0) return { values, requiredVariables }
  throw new RendererError(
    'VARIABLE_INVALID',
    `The variables do not match their declarations: ${unfit.join('; ')}.`,
    [],
    { details: { errors: unfit } },
  )
}
