import { hostError } from '../errors.js'

/** A plugin that replaces something it cannot, or by something that cannot stand in for it. */
export function overrideInvalid(plugin: string, problem: string): Error {
  return hostError('OVERRIDE_INVALID', `The plugin "${plugin}" ${problem}.`, { details: { plugins: [plugin] } })
}
