import type { Plugin } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import type { StorageBackend } from '@minions/core/storage'
import { type Static, Type } from 'typebox'

const Name = Type.String({
  minLength: 1,
  description: 'The name of a package, or a path relative to the configuration.',
})

const NamedPluginSchema = strictObject({
  name: Name,
  export: Type.Optional(
    Type.String({ minLength: 1, description: 'The export that creates the plugin, if it is not the usual one.' }),
  ),
  options: Type.Optional(Type.Unknown({ description: 'Options of the plugin.' })),
})

/** A plugin in a configuration: `name`, `[name, options]` or `{ name, options, export }`. */
const ConfigPluginSchema = Type.Union([Name, Type.Tuple([Name, Type.Unknown()]), NamedPluginSchema])

/** A configuration in the form of `minions.config.json`. */
export const ConfigSchema = strictObject({
  storage: Type.String({ minLength: 1, description: 'A storage URL; relative paths start at the configuration.' }),
  plugins: Type.Optional(Type.Array(ConfigPluginSchema)),
})

export type ConfigPlugin = Static<typeof ConfigPluginSchema>
export type NamedPlugin = Static<typeof NamedPluginSchema>

/** A configuration in code, which may also contain a backend and plugins themselves. */
export interface Config {
  readonly storage: string | StorageBackend
  readonly plugins?: readonly (ConfigPlugin | Plugin | false | null | undefined)[]
}

/** Returns a configuration unchanged; provides types in `minions.config.ts`. */
export function defineConfig<const C extends Config>(config: C): C {
  return config
}
