import { MinionsError, type MinionsErrorOptions } from '@minions/core'

/** Every code this package throws besides core's, with what it means. `details.plugins` names the plugins involved. */
export const HOST_ERROR_CODES = {
  PLUGIN_INVALID: 'Something in the list is no plugin, or has no usable name, namespace, version or part.',
  PLUGIN_DUPLICATE: 'One plugin is in the list twice.',
  REQUIREMENT_MISSING: 'A plugin requires one that is not in the list.',
  REQUIREMENT_VERSION: 'A plugin requires another version of one that is in the list.',
  REQUIREMENT_CYCLE: 'Plugins require each other in a circle; `details.path` shows it.',
  NAMESPACE_CLASH: 'Two plugins want the same namespace.',
  NAMESPACE_RESERVED: 'A plugin wants a namespace that would hide a part of the client.',
  TYPE_CLASH: 'Two plugins, or a plugin and the product, bring types with the same id.',
  SLUG_CLASH: 'Two types have the same slug, and neither says that it takes it from the other.',
  SLUG_UNKNOWN: 'A type takes the slug of a type that nobody brings, or that has another slug.',
  COLLECTION_CLASH: 'Two plugins, or a plugin and the product, declare collections with the same name.',
  TOKEN_CLASH: 'Two plugins provide the same token, and neither says that it overrides the other.',
  TOKEN_MISSING: 'Nobody that has started provides this token.',
  TOKEN_IN_USE: 'A token was overridden after somebody had already resolved it.',
  OPTIONS_INVALID: 'The options of a plugin do not fit its schema; `details.errors` lists what is wrong.',
  OVERRIDE_INVALID:
    'A plugin overrides something that cannot be replaced, or by something that cannot stand in for it.',
  SETUP_FAILED: 'The `setup` or an override of a plugin threw; the cause is its error. Everything was closed again.',
  DISPOSE_FAILED: 'Plugins failed to stop; the cause holds all errors. Everything else was stopped and closed.',
  COLLECTION_NOT_MOVABLE: 'A collection cannot be kept in another backend than the rest.',
  STORAGE_NOT_INSTALLED: 'The package of a storage backend is not installed; `details.package` names it.',
  STORAGE_NOT_LOADED: 'The package of a storage backend is there but cannot be used; the cause says why.',
  CONFIG_NOT_FOUND: 'The folder has no configuration file.',
  CONFIG_INVALID: 'The configuration file cannot be read or is not right; `details.errors` lists what is wrong.',
  PLUGIN_NOT_LOADED: 'A plugin that the configuration names cannot be imported; the cause says why.',
} as const satisfies Record<string, string>

export type HostErrorCode = keyof typeof HOST_ERROR_CODES

/** Makes a `MinionsError` with one of this package's codes. */
export function hostError(
  code: HostErrorCode,
  message: string,
  options?: MinionsErrorOptions,
): MinionsError<HostErrorCode> {
  return new MinionsError(code, message, options)
}
