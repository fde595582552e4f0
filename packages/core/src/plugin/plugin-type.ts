import type { DeriveMinion } from '../client/objects/derive.js'
import type { Transforms } from '../evolution/transform.js'
import type { MinionType } from '../schemas/minion-type.js'

/** A type contributed by a plugin, alone or with what the plugin adds to it. */
export type PluginType =
  | MinionType
  | {
      readonly type: MinionType
      /** Id of a type whose slug this one takes over. */
      readonly takesSlugOf?: string | undefined
      /** Completes every minion of the type before it is written; imports keep records as they are. */
      readonly derive?: DeriveMinion | undefined
      /** Converts values when the stored type evolves to this one, including an evolution that was interrupted. */
      readonly transform?: Transforms | undefined
    }
