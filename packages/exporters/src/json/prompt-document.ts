import { MinionSchema, RelationSchema } from '@minions/core/schema'
import { type Static, Type } from 'typebox'

/** A prompt with everything that belongs to it. */
export const PromptDocumentSchema = Type.Object({
  format: Type.Literal('minions-prompt'),
  version: Type.Literal(1),
  prompt: MinionSchema,
  /** Oldest first, including deleted ones, since others may follow them. */
  versions: Type.Array(MinionSchema),
  variables: Type.Array(MinionSchema),
  tests: Type.Array(MinionSchema),
  results: Type.Array(MinionSchema),
  /** Every relation between the minions above. */
  relations: Type.Array(RelationSchema),
})

export type PromptDocument = Static<typeof PromptDocumentSchema>
