import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { ApprovalEventSchema, ApprovalSchema } from '../approvals/record.js'

/** A notification waiting for delivery by one notifier; removed once delivered. */
const NoticeSchema = Type.Object({
  notice_id: Type.String(),
  notifier: Type.String(),
  event: ApprovalEventSchema,
  approval: ApprovalSchema,
  status: Type.Enum(['waiting', 'failed']),
  attempts: Type.Integer({ minimum: 0 }),
  next_at: Type.String({ description: 'When it may be tried; the process that tries it first postpones this.' }),
  error: Type.Union([Type.String(), Type.Null()]),
})
export type Notice = Static<typeof NoticeSchema>

export const noticesCollection = defineCollection({
  name: 'approval_notices',
  schema: NoticeSchema,
  key: 'notice_id',
  columns: {
    notifier: { type: 'string', required: true },
    status: { type: 'string', required: true },
    next_at: { type: 'string', required: true },
  },
  indexes: [['status', 'notifier', 'next_at']],
})
