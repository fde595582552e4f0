import type { JsonValue } from '@minions/core/json'
import { type Static, Type } from 'typebox'
import { Id, MissionId, Name, Text, Timestamp } from '../schemas/parts.js'

/** Status of a proposal. Rejected and applied are final; a failed application may be retried. */
export const APPLICATION_STATUSES = ['approved', 'rejected', 'applying', 'applied', 'failed'] as const

/** The process that runs a handler, so that others can tell whether it has ended. */
const ClaimSchema = Type.Object({
  id: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  thread: Type.Integer(),
})

/** The mutable state of a writeback proposal, which as an artifact is immutable. */
export const WritebackApplicationSchema = Type.Object({
  mission_id: MissionId,
  proposal_id: Id,
  tenant_id: Id,
  status: Type.Enum(APPLICATION_STATUSES),
  // The same for every attempt, so that a handler can recognise one that succeeded before a crash.
  idempotency_key: Type.String(),
  attempts: Type.Integer({ minimum: 0 }),
  producer: Name,
  created_at: Timestamp,
  updated_at: Timestamp,
  decision_id: Type.Optional(Id),
  claim: Type.Optional(ClaimSchema),
  result: Type.Optional(Type.Unsafe<JsonValue>({})),
  error: Type.Optional(Text),
})
export type WritebackApplication = Static<typeof WritebackApplicationSchema>
export type ApplicationStatus = WritebackApplication['status']
export type Claim = Static<typeof ClaimSchema>
