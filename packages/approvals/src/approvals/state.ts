import { MinionsError, quote } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { Clearance } from '@minions/core/plugin'
import { type ApprovalsErrorCode, approvalsError } from '../errors.js'
import type { Approval, ApprovalStatus } from './record.js'

/** The status of an approval at a moment. It is expired from the very millisecond of its expiry. */
export function statusAt({ status, expires_at, valid_until }: Approval, millis: number): ApprovalStatus {
  if (status === 'pending' && millis >= Date.parse(expires_at)) return 'expired'
  if (status === 'approved' && valid_until !== null && millis >= Date.parse(valid_until)) return 'expired'
  return status
}

/** The approval as callers see it: overdue ones are expired, whether or not that was recorded yet. */
export function present(approval: Approval, millis: number): Approval {
  const status = statusAt(approval, millis)
  return status === approval.status ? approval : { ...approval, status }
}

export function describe({ call }: Approval): string {
  const where = call.mission_id === null ? '' : ` of mission ${call.mission_id}`
  return `the ${call.kind} "${call.name.slice(0, 100)}"${where}`
}

export function clearanceOf({ approval_id, call, edit, decided_by }: Approval): Clearance {
  const given: JsonObject = edit?.arguments ?? call.arguments
  return { arguments: structuredClone(given) as JsonObject, approval: approval_id, approvedBy: decided_by ?? '' }
}

/** The error for a decision that came second; it names who was first. */
export function decidedBefore(approval: Approval, status: ApprovalStatus): Error {
  const { approval_id, decided_by, decided_at, reason } = approval
  const who = decided_by === null ? '' : ` by "${decided_by}" at ${decided_at}`
  return new MinionsError('CONFLICT', `Approval ${approval_id} is already ${status}${who}; nothing was changed.`, {
    details: { approval: approval_id, status, decidedBy: decided_by, decidedAt: decided_at, reason },
  })
}

export function notApproved(approval: Approval, status: ApprovalStatus): MinionsError<ApprovalsErrorCode> {
  const { approval_id, decided_by, reason, expires_at } = approval
  const details = { approval: approval_id, decidedBy: decided_by, reason }
  const pending = `is ${status}; a person must approve it: minions approvals approve ${approval_id}`
  const problems: Readonly<Record<ApprovalStatus, readonly [code: ApprovalsErrorCode, problem: string]>> = {
    pending: ['APPROVAL_REQUIRED', pending],
    approved: ['APPROVAL_REQUIRED', pending],
    rejected: ['APPROVAL_REJECTED', `was rejected by "${decided_by}": ${reason || 'no reason given'}.`],
    withdrawn: ['APPROVAL_WITHDRAWN', 'was withdrawn; ask again.'],
    used: ['APPROVAL_USED', 'was used before; ask again.'],
    expired: ['APPROVAL_EXPIRED', `expired at ${approval.valid_until ?? expires_at}; ask again.`],
  }
  const [code, problem] = problems[status]
  return approvalsError(code, `Approval ${approval_id} for ${describe(approval)} ${problem}`, { details })
}

export function noSuchApproval(id: unknown): Error {
  return new MinionsError('NOT_FOUND', `There is no approval ${quote(id)}.`)
}
