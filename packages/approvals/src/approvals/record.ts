import type { JsonObject } from '@minions/core/json'
import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { ArgumentChangeSchema } from './argument-diff.js'
import { ApprovedCallSchema, nullableText } from './call.js'

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'withdrawn', 'used'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

const names = Type.Array(Type.String())

const EditSchema = Type.Object({
  arguments: Type.Unsafe<JsonObject>({ type: 'object' }),
  arguments_hash: Type.String(),
  diff: Type.Array(ArgumentChangeSchema),
})

/** A request to a person to approve one exact call. */
export const ApprovalSchema = Type.Object({
  approval_id: Type.String(),
  tenant_id: nullableText,
  status: Type.Enum(APPROVAL_STATUSES, {
    description: '`used` once the call was made with it; `withdrawn` if the caller that asked has ended.',
  }),
  call: ApprovedCallSchema,
  binding: Type.String({ description: 'SHA-256 of all that the approval is bound to.' }),
  why: Type.String({ description: 'Why a person is asked.' }),
  rule: Type.Union([Type.String(), Type.Null()], { description: 'The rule of the policy that asks.' }),
  policy_version: Type.Integer({ minimum: 0 }),
  asked_by: Type.String({ description: 'On whose behalf the call is made; this person cannot decide.' }),
  asked_at: Type.String(),
  expires_at: Type.String({ description: 'From this moment on it can no longer be decided.' }),
  approvers: Type.Union([names, Type.Null()], { description: 'Who may decide; null for everyone with the access.' }),
  escalates_to: Type.Union([names, Type.Null()], {
    description: 'Who is notified at `escalates_at`, and may then decide.',
  }),
  escalates_at: nullableText,
  escalated_at: nullableText,
  decided_by: nullableText,
  decided_at: nullableText,
  reason: nullableText,
  edit: Type.Union([EditSchema, Type.Null()], { description: 'The arguments to use instead, and what was changed.' }),
  valid_until: Type.Union([Type.String(), Type.Null()], { description: 'The approval must be used before this time.' }),
  used_at: nullableText,
  changes: Type.Integer({ minimum: 1, description: 'How often the record was written.' }),
})
export type Approval = Static<typeof ApprovalSchema>

export const approvalsCollection = defineCollection({
  name: 'approvals',
  schema: ApprovalSchema,
  key: 'approval_id',
  columns: {
    tenant_id: { type: 'string' },
    status: { type: 'string', required: true },
    asked_at: { type: 'string', required: true },
    expires_at: { type: 'string', required: true },
    mission_id: { type: 'string', path: 'call.mission_id' },
    escalates_at: { type: 'string' },
  },
  indexes: [
    ['status', 'asked_at'],
    ['tenant_id', 'status', 'asked_at'],
    ['mission_id', 'status'],
    ['status', 'expires_at'],
    ['status', 'escalates_at'],
  ],
  createdAt: 'asked_at',
})

/** An event or attempt in the history of an approval. */
export const ApprovalEventSchema = Type.Object({
  event_id: Type.String(),
  approval_id: Type.String(),
  number: Type.Integer({ minimum: 0, description: 'How often the approval had been written then.' }),
  kind: Type.Enum(['asked', 'escalated', 'approved', 'edited', 'rejected', 'expired', 'withdrawn', 'used', 'refused']),
  at: Type.String(),
  by: nullableText,
  code: Type.Union([Type.String(), Type.Null()], { description: 'Why an attempt was refused.' }),
  message: Type.String(),
})
export type ApprovalEvent = Static<typeof ApprovalEventSchema>

export const approvalEventsCollection = defineCollection({
  name: 'approval_events',
  schema: ApprovalEventSchema,
  key: ['approval_id', 'event_id'],
  columns: {
    approval_id: { type: 'string', required: true },
    at: { type: 'string', required: true },
    number: { type: 'number', required: true },
  },
  indexes: [['approval_id', 'at', 'number']],
  createdAt: 'at',
})
