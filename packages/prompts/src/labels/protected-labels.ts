import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'

/** A label that only a person other than the author of a version may move to it. */
export const ProtectedLabelSchema = Type.Object({
  label: Type.String(),
  at: Type.String({ description: 'When it was protected.' }),
  by: Type.Optional(Type.String({ description: 'Who protected it.' })),
})

export type ProtectedLabel = Readonly<Static<typeof ProtectedLabelSchema>>

/** Labels that are protected on every prompt of the store. */
export const protectedLabelsCollection = defineCollection({
  name: 'prompt_protected_labels',
  schema: ProtectedLabelSchema,
  key: 'label',
})
