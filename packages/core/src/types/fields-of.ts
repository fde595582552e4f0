import type { JsonValue } from '../json/json-value.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'

/** The part of a type that type-level helpers need: its schema, with literal names when it comes from `defineType`. */
export interface HasSchema {
  readonly schema: readonly FieldDefinition[]
}

type OptionOf<D> = D extends { readonly options: readonly (infer Option extends string)[] } ? Option : string

/** Types of values by type of field; all others are strings. */
interface Values<D> {
  readonly number: number
  readonly boolean: boolean
  readonly select: OptionOf<D>
  readonly 'multi-select': readonly OptionOf<D>[]
  readonly tags: readonly string[]
  readonly array: readonly JsonValue[]
  readonly json: JsonValue
}

/** The TypeScript type of the value that a field definition describes. */
export type FieldValue<D extends FieldDefinition> = D['type'] extends keyof Values<D> ? Values<D>[D['type']] : string

type Definitions<T extends HasSchema> = T['schema'][number]

/** These fields, for a type whose field names the compiler knows; any, for others such as plain `MinionType`. */
type IfKnown<T extends HasSchema, Fields> = string extends Definitions<T>['name']
  ? Record<string, unknown>
  : { [K in keyof Fields]: Fields[K] }

type IsRequired<D> = D extends { readonly required: true } ? true : false

/** Required and without a default, so that only the caller can supply it. */
type MustBeGiven<D> = D extends { readonly defaultValue: unknown } ? false : IsRequired<D>

/** The fields of a minion of type `T`: required ones are present, the others may be missing. */
export type FieldsOf<T extends HasSchema> = IfKnown<
  T,
  { [D in Definitions<T> as IsRequired<D> extends true ? D['name'] : never]: FieldValue<D> } & {
    [D in Definitions<T> as IsRequired<D> extends true ? never : D['name']]?: FieldValue<D>
  }
>

/** The fields needed to create a minion of type `T`: required fields without a default must be given. */
export type CreateFieldsOf<T extends HasSchema> = IfKnown<
  T,
  { [D in Definitions<T> as MustBeGiven<D> extends true ? D['name'] : never]: FieldValue<D> } & {
    [D in Definitions<T> as MustBeGiven<D> extends true ? never : D['name']]?: FieldValue<D> | null | undefined
  }
>

/** The fields of a partial update: null removes a field, and required ones cannot be removed. */
export type UpdateFieldsOf<T extends HasSchema> = IfKnown<
  T,
  { [D in Definitions<T> as D['name']]?: FieldValue<D> | (IsRequired<D> extends true ? never : null | undefined) }
>

/** A minion of type `T`, its fields typed by `T`'s schema. */
export type MinionOf<T extends HasSchema> = Minion<FieldsOf<T>>
