import { hostError } from '../errors.js'

/** A plugin that replaces something it cannot, or with something unsuitable. */
export function overrideInvalid(plugin: string, problem: string): Error {
  return hostError('OVERRIDE_INVALID', `The plugin "${plugin}" ${problem}.`, { details: { plugins: [plugin] } })
}
