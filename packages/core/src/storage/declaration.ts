import { type Static, Type } from 'typebox'
import { strictObject } from '../schemas/strict-object.js'

/** The type of a declared column. A column holds values of one type, null where the record has none. */
export type ColumnType = Static<typeof ColumnTypeSchema>

const ColumnTypeSchema = Type.Enum(['string', 'number', 'boolean', 'strings'], {
  description:
    '`strings` is a list of strings, queried with `contains`; it cannot be unique, a reference or a sort column.',
})

const Names = Type.Array(Type.String())

const ColumnDeclarationSchema = Type.Object({
  name: Type.String(),
  path: Type.String({ description: 'Path of the value in the record, e.g. `fields.confidence`.' }),
  type: ColumnTypeSchema,
  required: Type.Boolean({ description: 'A record without this value is refused.' }),
})

const ReferenceDeclarationSchema = Type.Object({
  columns: Type.Array(Type.String(), {
    description: 'In the order of the key of the other collection. If one is null, there is no reference.',
  }),
  collection: Type.String(),
  when: Type.Optional(
    Type.Union(
      [
        strictObject({ column: Type.String(), eq: Type.String() }),
        strictObject({ column: Type.String(), ne: Type.String() }),
      ],
      { description: 'The reference applies only to records whose column has, or does not have, this value.' },
    ),
  ),
})

/** The catalogue entry of a collection: enough to read, copy and export it without the package that declared it. */
export const CollectionDeclarationSchema = Type.Object({
  name: Type.String(),
  version: Type.Integer({ minimum: 1, description: 'Raised whenever the declaration or its records change.' }),
  key: Type.Array(Type.String(), { description: 'Paths of the properties that identify a record.' }),
  columns: Type.Array(ColumnDeclarationSchema),
  indexes: Type.Array(Names, { description: 'Column lists to index; every index ends with the key.' }),
  unique: Type.Array(Names, { description: 'Columns whose values must be unique; nulls never collide.' }),
  references: Type.Array(ReferenceDeclarationSchema),
  createdAt: Type.Union([Type.String(), Type.Null()], {
    description: 'The column of the default order.',
  }),
  text: Type.Union([Type.String(), Type.Null()], { description: 'Path of the searchable text.' }),
  foldVersion: Type.Integer({ description: 'Version of the folding of that text.' }),
})

/** A value that core extracts from a record so that every backend can index it and enforce the same rules. */
export type ColumnDeclaration = DeepReadonly<Static<typeof ColumnDeclarationSchema>>

/** Columns that together refer to a record of another collection, by its key. */
export type ReferenceDeclaration = DeepReadonly<Static<typeof ReferenceDeclarationSchema>>

export type CollectionDeclaration = DeepReadonly<Static<typeof CollectionDeclarationSchema>>

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T
