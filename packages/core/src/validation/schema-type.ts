import type { Static, TSchema } from 'typebox'

/** Marks of typebox 1.x on its types; plain JSON Schema has none of them. */
type TypeBoxMark = '~kind' | '~unsafe' | '~codec' | '~refine'

/**
 * Type of the values that are valid for a schema, with defaults filled in: exact for typebox 1.x, `@sinclair/typebox`
 * and Standard Schema, `unknown` for plain JSON Schema.
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
      ? // In a type position, the compiler would infer backwards through `Static` to a schema; `infer` prevents that.
        Static<S> extends infer T
        ? T
        : never
      : never

/** Type of the input values of a schema, before defaults are filled in. */
export type SchemaInput<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : SchemaType<S>
