import { defineErrors, messageOf } from '@minions/core'

/** Every code this package throws besides core's, with its meaning. `details.plugins` names the plugins involved. */
export const HOST_ERROR_CODES = {
  PLUGIN_INVALID: 'An entry of the list is not a plugin, or has no usable reference, version or part.',
  PLUGIN_DUPLICATE: 'One plugin is in the list twice.',
  REQUIREMENT_MISSING: 'Plugins depend on others that are not in the list; `details.missing` names all of them.',
  REQUIREMENT_VERSION: 'A plugin depends on a different version of one in the list.',
  REQUIREMENT_CYCLE: 'Plugins depend on each other in a cycle; `details.path` shows it.',
  NAMESPACE_CLASH: 'Two plugins use the same namespace.',
  NAMESPACE_RESERVED: 'A plugin uses a namespace that would hide a part of the client.',
  TYPE_CLASH: 'Two plugins, or a plugin and the product, provide types with the same id.',
  SLUG_CLASH: 'Two types have the same slug, and neither declares that it takes it over from the other.',
  SLUG_UNKNOWN: 'A type takes over the slug of a type that no plugin provides, or that has another slug.',
  COLLECTION_CLASH: 'Two plugins, or a plugin and the product, declare collections with the same name.',
  TOKEN_CLASH: 'Two plugins provide the same token, and neither declares that it overrides the other.',
  CONTRIBUTION_CLASH: 'Two contributions to one extension point have the same key.',
  CONTRIBUTION_INVALID: 'A contribution is not what the extension point accepts.',
  OPTIONS_INVALID: 'The options of a plugin do not match its schema; `details.errors` lists the problems.',
  OVERRIDE_INVALID: 'A plugin overrides something that cannot be replaced, or with something unsuitable.',
  SETUP_FAILED:
    'The `setup`, a service or an override of a plugin threw; the cause is its error. Everything was closed again.',
  JOIN_FAILED: 'The `join` of a plugin threw; the cause is its error. The transaction is rolled back.',
  DISPOSE_FAILED: 'Plugins failed to stop; the cause holds all errors. Everything else was stopped and closed.',
  COLLECTION_NOT_MOVABLE: 'A collection cannot be kept in a separate backend.',
  STORAGE_NOT_INSTALLED: 'The package of a storage backend is not installed; `details.package` names it.',
  STORAGE_NOT_LOADED: 'The package of a storage backend is installed but cannot be used; the cause says why.',
  CONFIG_NOT_FOUND: 'The folder has no configuration file.',
  CONFIG_INVALID: 'The configuration file cannot be read or is invalid; `details.errors` lists the problems.',
  PLUGIN_NOT_LOADED: 'A plugin that the configuration names cannot be imported; the cause says why.',
}
export type HostErrorCode = keyof typeof HOST_ERROR_CODES

/** Creates errors with the codes of this package. */
export const hostError = defineErrors(HOST_ERROR_CODES)

/** A plugin that replaces something it cannot, or with something unsuitable. */
export function overrideInvalid(plugin: string, problem: string): Error {
  return hostError('OVERRIDE_INVALID', `The plugin "${plugin}" ${problem}.`, { details: { plugins: [plugin] } })
}

/** A plugin that threw while it was started. */
export function setupFailed(plugin: string, what: string, cause: unknown): Error {
  return hostError('SETUP_FAILED', `The plugin "${plugin}" ${what}: ${messageOf(cause)}`, {
    details: { plugins: [plugin] },
    cause,
  })
}
