import type { JsonValue } from '../json/json-value.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'

/** The part of a type that type-level helpers need: its schema, with literal names when it comes from `defineType`. */
export interface HasSchema {
  readonly schema: readonly FieldDefinition[]
}

type OptionOf<D> = D extends { readonly options: readonly (infer Option extends string)[] } ? Option : string

/** The TypeScript type of the value that a field definition describes. */
export type FieldValue<D extends FieldDefinition> = D['type'] extends 'number'
  ? number
  : D['type'] extends 'boolean'
    ? boolean
    : D['type'] extends 'select'
      ? OptionOf<D>
      : D['type'] extends 'multi-select'
        ? readonly OptionOf<D>[]
        : D['type'] extends 'tags'
          ? readonly string[]
          : D['type'] extends 'array'
            ? readonly JsonValue[]
            : D['type'] extends 'json'
              ? JsonValue
              : string

type Definitions<T extends HasSchema> = T['schema'][number]

/** True for a type whose field names are not known to the compiler, such as plain `MinionType`. */
type IsOpen<T extends HasSchema> = string extends Definitions<T>['name'] ? true : false

type Simplify<T> = { [K in keyof T]: T[K] }

/** Required and without a default, so that only the caller can supply it. */
type MustBeGiven<D> = D extends { readonly required: true }
  ? D extends { readonly defaultValue: unknown }
    ? false
    : true
  : false

/** The fields of a minion of type `T`: required ones are present, the others may be missing. */
export type FieldsOf<T extends HasSchema> =
  IsOpen<T> extends true
    ? Record<string, unknown>
    : Simplify<
        { [D in Definitions<T> as D extends { readonly required: true } ? D['name'] : never]: FieldValue<D> } & {
          [D in Definitions<T> as D extends { readonly required: true } ? never : D['name']]?: FieldValue<D>
        }
      >

/** The fields needed to create a minion of type `T`: required fields without a default must be given. */
export type CreateFieldsOf<T extends HasSchema> =
  IsOpen<T> extends true
    ? Record<string, unknown>
    : Simplify<
        { [D in Definitions<T> as MustBeGiven<D> extends true ? D['name'] : never]: FieldValue<D> } & {
          [D in Definitions<T> as MustBeGiven<D> extends true ? never : D['name']]?: FieldValue<D> | null | undefined
        }
      >

/** The fields of a partial update: null removes a field, and required ones cannot be removed. */
export type UpdateFieldsOf<T extends HasSchema> =
  IsOpen<T> extends true
    ? Record<string, unknown>
    : Simplify<
        { [D in Definitions<T> as D extends { readonly required: true } ? D['name'] : never]?: FieldValue<D> } & {
          [D in Definitions<T> as D extends { readonly required: true } ? never : D['name']]?:
            | FieldValue<D>
            | null
            | undefined
        }
      >

/** A minion of type `T`, its fields typed by `T`'s schema. */
export type MinionOf<T extends HasSchema> = Minion<FieldsOf<T>>
