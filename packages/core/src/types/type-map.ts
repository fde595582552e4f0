import type { MinionType } from '../schemas/minion-type.js'
import type { contactType, fileType, linkType, noteType } from './basic-types.js'
import type { agentType, promptTemplateType, taskType, teamType, testCaseType, thoughtType } from './layer-types.js'

/** Types by slug, as the compiler knows them. */
export type TypeMap = Readonly<Record<string, MinionType>>

/** A union of types as a map by slug. */
export type TypesBySlug<T extends MinionType> = { readonly [One in T as One['slug']]: One }

/** The types that every client knows. */
export type BuiltinTypes = TypesBySlug<
  | typeof noteType
  | typeof linkType
  | typeof fileType
  | typeof contactType
  | typeof agentType
  | typeof teamType
  | typeof thoughtType
  | typeof promptTemplateType
  | typeof testCaseType
  | typeof taskType
>

/** How a caller names a type: by a type itself, a known slug, or any slug or id. */
export type TypeName = MinionType | string

/** The type that a name stands for, as far as the compiler knows. */
export type TypeNamed<Types, Name> = Name extends MinionType
  ? Name
  : Name extends keyof Types
    ? Types[Name] & MinionType
    : MinionType
