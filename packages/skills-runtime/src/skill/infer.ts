import type { Static, TSchema } from 'typebox'

/** What typebox 1.x writes on its types; plain JSON Schema has none of them. */
type TypeBoxMark = '~kind' | '~unsafe' | '~codec' | '~refine'

/**
 * The type that a schema describes: exact for typebox 1.x and `@sinclair/typebox`, `Record<string, unknown>` for plain
 * JSON Schema.
 */
export type InferSchema<S> = [Extract<keyof S, TypeBoxMark>] extends [never]
  ? S extends { readonly static: infer T; readonly params: unknown }
    ? T
    : Record<string, unknown>
  : S extends TSchema
    ? // Where a type is wanted, the compiler would work back through `Static` to a schema; `infer` ends that.
      Static<S> extends infer T
      ? T
      : never
    : never

/** The type a skill returns: that of its `returns_schema`, or any object when it has none. */
export type InferResult<S> = [S] extends [undefined] ? object : InferSchema<S>
