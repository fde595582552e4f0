import type { PluginType } from '../plugin/plugin-type.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { BuiltinType } from './builtin-types.js'

/** Types by slug, as known to the compiler. */
export type TypeMap = Readonly<Record<string, MinionType>>

/** Maps a union of types by slug, without those whose slug the compiler does not know. */
export type TypesBySlug<T extends MinionType> = {
  readonly [One in T as string extends One['slug'] ? never : One['slug']]: One
}

type TypeOf<Entry> = Entry extends MinionType
  ? Entry
  : Entry extends { readonly type: infer T extends MinionType }
    ? T
    : never

/** Maps the types in a list given to a client or a plugin by slug. */
export type TypesIn<List extends readonly PluginType[]> = TypesBySlug<TypeOf<List[number]>>

/** The types that every client knows. */
export type BuiltinTypes = TypesBySlug<BuiltinType>

/** A reference to a type: a type itself, a known slug, or any slug or id. */
export type TypeName = MinionType | string

/** The type that a reference stands for. `Extra` are the types besides the built-in ones, by slug, if any. */
export type TypeNamed<Extra, Name> = Name extends MinionType
  ? Name
  : Name extends keyof Extra
    ? Extra[Name] & MinionType
    : Name extends keyof BuiltinTypes
      ? BuiltinTypes[Name]
      : MinionType

/** Slugs that the compiler knows, for completion in an editor. */
export type KnownSlug<Extra> = (keyof Extra | keyof BuiltinTypes) & string
