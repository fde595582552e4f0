import { TimestampSchema } from '@minions/core/schema'
import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { HolderSchema } from '../holder.js'

/** The first answer to a request with an idempotency key; until there is one, the process working on it. */
const AnswerRecordSchema = Type.Object({
  id: Type.String({ description: 'Hash of the caller and the key.' }),
  operation: Type.String(),
  fingerprint: Type.String({ description: 'Hash of the input.' }),
  createdAt: TimestampSchema,
  expiresAt: TimestampSchema,
  holder: Type.Optional(HolderSchema),
  answer: Type.Optional(
    Type.Union([
      Type.Object({ kind: Type.Literal('result'), result: Type.Unknown() }),
      Type.Object({ kind: Type.Literal('run'), run: Type.String() }),
      Type.Object({
        kind: Type.Literal('refusal'),
        code: Type.String(),
        message: Type.String(),
        details: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
      }),
      Type.Object({ kind: Type.Literal('omitted'), reason: Type.String() }),
    ]),
  ),
})

export type AnswerRecord = Static<typeof AnswerRecordSchema>

/** The answer: a result, a run, a refusal, or one that is not kept. */
export type Answer = NonNullable<AnswerRecord['answer']>

export const answerCollection = defineCollection({
  name: 'server_answers',
  schema: AnswerRecordSchema,
  key: 'id',
  columns: { expiresAt: { type: 'string', required: true, indexed: true } },
})
