import type { Plugin } from '@minions/core/plugin'
import type { StorageBackend } from '@minions/core/storage'
import { type Static, Type } from 'typebox'

const Name = Type.String({
  minLength: 1,
  description: 'The name of a package, or a path relative to the configuration.',
})

const NamedPluginSchema = Type.Object(
  {
    name: Name,
    export: Type.Optional(
      Type.String({ minLength: 1, description: 'The export that makes the plugin, when it is not the usual one.' }),
    ),
    options: Type.Optional(Type.Unknown({ description: 'What the plugin is created with.' })),
  },
  { additionalProperties: false },
)

/** A plugin as a configuration names it: `name`, `[name, options]` or `{ name, options, export }`. */
const ConfigPluginSchema = Type.Union([Name, Type.Tuple([Name, Type.Unknown()]), NamedPluginSchema])

/** A configuration as `minions.config.json` holds it. */
export const ConfigSchema = Type.Object(
  {
    storage: Type.String({ minLength: 1, description: 'A storage URL; relative paths begin at the configuration.' }),
    plugins: Type.Optional(Type.Array(ConfigPluginSchema)),
  },
  { additionalProperties: false },
)

export type ConfigPlugin = Static<typeof ConfigPluginSchema>
export type NamedPlugin = Static<typeof NamedPluginSchema>

/** A configuration as code may write it: also with a backend, and with plugins themselves. */
export interface Config {
  readonly storage: string | StorageBackend
  readonly plugins?: readonly (ConfigPlugin | Plugin | false | null | undefined)[]
}

/** Returns a configuration as it is; it is there for the editor and the compiler, in `minions.config.ts`. */
export function defineConfig<const C extends Config>(config: C): C {
  return config
}
