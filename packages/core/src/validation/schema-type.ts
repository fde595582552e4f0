import type { Static, TSchema } from 'typebox'

/** Marks of typebox 1.x on its types; plain JSON Schema has none of them. */
type TypeBoxMark = '~kind' | '~unsafe' | '~codec' | '~refine'

/**
 * Type of the values that fit a schema, with defaults filled in: exact for typebox 1.x, `@sinclair/typebox` and Standard
 * Schema, `unknown` for plain JSON Schema.
 */
export type SchemaType<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : [Extract<keyof S, TypeBoxMark>] extends [never]
    ? S extends { readonly static: infer T; readonly params: unknown }
      ? T
      : unknown
    : S extends TSchema
      ? // Where a type is wanted, the compiler would work back through `Static` to a schema; `infer` ends that.
        Static<S> extends infer T
        ? T
        : never
      : never

/** Type of the values that a schema takes, before defaults are filled in. */
export type SchemaInput<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : SchemaType<S>
