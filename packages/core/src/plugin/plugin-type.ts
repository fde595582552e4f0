import type { DeriveMinion } from '../client/derive.js'
import type { Transforms } from '../evolution/transform.js'
import type { MinionType } from '../schemas/minion-type.js'

/** A type that a plugin brings, alone or with what the plugin adds to it. */
export type PluginType =
  | MinionType
  | {
      readonly type: MinionType
      /** Id of a type whose slug this one answers to from now on. */
      readonly takesSlugOf?: string | undefined
      /** Completes every minion of the type before it is written; imports take records as they are. */
      readonly derive?: DeriveMinion | undefined
      /** Converts values when the stored type evolves to this one, also when such an evolution was interrupted. */
      readonly transform?: Transforms | undefined
    }
