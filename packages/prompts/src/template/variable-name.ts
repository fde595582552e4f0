import { promptsError } from '../errors.js'

/** Names allowed in a tag. `this` and `else` match too, but have a special meaning. */
export const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** Throws `VARIABLE_INVALID` for a name that no variable can have. */
export function assertVariableName(name: unknown): asserts name is string {
  if (typeof name === 'string' && NAME.test(name) && name !== 'this' && name !== 'else') return
  throw promptsError(
    'VARIABLE_INVALID',
    `${JSON.stringify(name)} is not a variable name (letters, digits and _, not starting with a digit; this and else are reserved).`,
    { details: { variable: name } },
  )
}
