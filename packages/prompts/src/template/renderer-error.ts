import { MinionsError, type MinionsErrorOptions } from '@minions/core'
import { takeOptions } from '@minions/core/plugin'

/** Rendering failed because of the variables: some are missing, or one has a value that cannot be rendered. */
export class RendererError extends MinionsError<'VARIABLES_MISSING' | 'VARIABLE_INVALID'> {
  /** Every missing name, once; empty when the error is about a value. */
  readonly missingVariables: readonly string[]

  constructor(
    code: 'VARIABLES_MISSING' | 'VARIABLE_INVALID',
    message: string,
    missingVariables: readonly string[] = [],
    options: MinionsErrorOptions = {},
  ) {
    const { details, ...rest } = takeOptions('The options of an error', options)
    super(code, message, { ...rest, details: { ...takeOptions('The details of an error', details), missingVariables } })
    this.name = 'RendererError'
    this.missingVariables = missingVariables
  }
}

/** The error that names all missing variables of a rendering. */
export function missingVariablesError(names: Iterable<string>): RendererError {
  const missing = [...names]
  const what = missing.length === 1 ? 'a variable that has' : `${missing.length} variables that have`
  return new RendererError(
    'VARIABLES_MISSING',
    `The template needs ${what} no value: ${missing.join(', ')}. Pass the values, or render with strict: false.`,
    missing,
  )
}
