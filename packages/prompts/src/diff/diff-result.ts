import { type Static, Type } from 'typebox'

const FieldValueSchema = Type.Object({ field: Type.String(), value: Type.Unknown() })

const ChangedFieldSchema = Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })

const DiffLineSchema = Type.Object({ type: Type.Enum(['add', 'remove', 'context']), text: Type.String() })

/** The differences between two versions of a prompt. Equal versions give four empty lists. */
export const DiffResultSchema = Type.Object({
  added: Type.Immutable(Type.Array(FieldValueSchema, { description: 'Fields that only the second version has.' })),
  removed: Type.Immutable(Type.Array(FieldValueSchema, { description: 'Fields that only the first version has.' })),
  changed: Type.Immutable(
    Type.Array(ChangedFieldSchema, {
      description: 'Fields of both whose values differ, `content` and `title` included.',
    }),
  ),
  contentDiff: Type.Immutable(
    Type.Array(DiffLineSchema, {
      description: 'Every line of both contents in order, removals before additions; empty when they are equal.',
    }),
  ),
})

export type DiffResult = Readonly<Static<typeof DiffResultSchema>>

export type AddedField = Readonly<Static<typeof FieldValueSchema>>

export type RemovedField = AddedField

export type ChangedField = Readonly<Static<typeof ChangedFieldSchema>>

/** One line of `content`: in both versions (`context`), only in the second (`add`) or only in the first (`remove`). */
export type DiffLine = Readonly<Static<typeof DiffLineSchema>>
