import type { JsonScalar } from '../../json/json-value.js'
import type { FieldDefinition } from '../../schemas/field-definition.js'
import type { Minion } from '../../schemas/minion.js'
import type { MinionType } from '../../schemas/minion-type.js'
import type { Comparison, OrderBy, Where } from '../../storage/query.js'

type Definition<T extends MinionType> = T['schema'][number]

/** Fields whose values have parts that a path can reach into. */
type WithParts<D extends FieldDefinition> = D extends { readonly type: 'json' | 'array' } ? D['name'] : never

/** Paths into minions of a type: attributes, fields, and parts of JSON fields. */
export type PathOf<T extends MinionType> =
  | Exclude<keyof Minion & string, 'fields'>
  | `fields.${Definition<T>['name']}`
  | `fields.${WithParts<Definition<T>>}.${string}`
  | `_legacy.${string}`

/** True for a type whose field names are not known to the compiler. */
type IsOpen<T extends MinionType> = string extends Definition<T>['name'] ? true : false

/** A condition on minions of a type. A misspelt path does not compile. */
export type WhereOf<T extends MinionType> =
  IsOpen<T> extends true
    ? Where
    : { readonly [Path in PathOf<T>]?: JsonScalar | Comparison } & {
        readonly and?: readonly WhereOf<T>[]
        readonly or?: readonly WhereOf<T>[]
        readonly not?: WhereOf<T>
      }

/** A sort order for minions of a type. */
export type OrderByOf<T extends MinionType> = IsOpen<T> extends true ? OrderBy : OrderBy & { readonly field: PathOf<T> }
