import { MinionsError, timestamp } from '@minions/core'
import { copyJson, isRecord, type JsonObject } from '@minions/core/json'
import { mayBeSamePerson } from '@minions/core/plugin'
import type { Revised } from '@minions/core/storage'
import { type ApprovalsErrorCode, approvalsError } from '../errors.js'
import { argumentChanges } from './argument-diff.js'
import { hashJson } from './call.js'
import { type Change, changeOf } from './journal.js'
import type { Approval } from './record.js'
import { decidedBefore, describe, statusAt } from './state.js'

/** A decision on one approval. */
export interface Decision {
  readonly approval: string
  readonly decision: 'approve' | 'reject'
  /** Why. */
  readonly reason?: string | undefined
  /** Approves the call with these arguments instead of its own. */
  readonly arguments?: JsonObject | undefined
  /** `arguments_hash` of what was shown: the decision is refused if the arguments differ. */
  readonly hash?: string | undefined
  /** What was shown besides the arguments; another kind, name or version is refused. */
  readonly call?:
    | {
        readonly kind?: string | undefined
        readonly name?: string | undefined
        readonly version?: string | null | undefined
      }
    | undefined
}

/** Refuses a decision, with a code that is recorded. */
export class RefusedDecision extends Error {
  readonly approval: Approval
  readonly refusal: MinionsError<ApprovalsErrorCode>

  constructor(approval: Approval, code: ApprovalsErrorCode, message: string, details: object = {}) {
    super(message)
    this.approval = approval
    this.refusal = approvalsError(code, message, { details: { approval: approval.approval_id, ...details } })
  }
}

const LONGEST_REASON = 2000

/** The change that a decision makes. Throws `CONFLICT` for a late one, and `RefusedDecision`. */
export function decisionChange(
  found: Revised<Approval>,
  decision: Decision,
  by: string,
  at: number,
  validForMs: number,
): Change {
  const { record } = found
  const { approval_id } = record
  const status = statusAt(record, at)
  if (status !== 'pending') {
    if (status !== 'expired') throw decidedBefore(record, status)
    const message = `Approval ${approval_id} expired at ${record.expires_at}; it can no longer be decided.`
    throw new RefusedDecision(record, 'APPROVAL_EXPIRED', message)
  }
  checkDecider(record, by, at)
  checkShown(record, decision)
  const reason = (decision.reason ?? '').slice(0, LONGEST_REASON)
  const edit = editOf(record, decision)
  const isApproved = decision.decision === 'approve'
  const patch: Partial<Approval> = {
    status: isApproved ? 'approved' : 'rejected',
    decided_by: by,
    decided_at: timestamp(at),
    reason,
    edit,
    valid_until: isApproved ? timestamp(at + validForMs) : null,
  }
  const kind = !isApproved ? 'rejected' : edit === null ? 'approved' : 'edited'
  const message = `${by} ${kind === 'edited' ? 'changed and approved' : kind} ${describe(record)}${reason === '' ? '' : `: ${reason}`}`
  return changeOf(found, patch, { kind, by, message })
}

function checkDecider(record: Approval, by: string, at: number): void {
  const { approval_id, asked_by, approvers, escalates_to, escalates_at } = record
  if (mayBeSamePerson(by, asked_by)) {
    throw new RefusedDecision(
      record,
      'SELF_APPROVAL',
      `Approval ${approval_id} was requested by "${asked_by}"; a person other than "${by}" must decide on it.`,
    )
  }
  if (approvers === null || approvers.includes(by)) return
  const isEscalated = escalates_at !== null && at >= Date.parse(escalates_at)
  if (isEscalated && escalates_to?.includes(by)) return
  const named = isEscalated ? [...approvers, ...(escalates_to ?? [])] : approvers
  throw new RefusedDecision(
    record,
    'NOT_AN_APPROVER',
    `"${by}" is not among those who may decide on approval ${approval_id}: ${named.join(', ')}.`,
  )
}

/** What the decider saw must be what the approval is for. */
function checkShown(record: Approval, { hash, call }: Decision): void {
  const { call: asked } = record
  const differs = [
    ...(hash !== undefined && hash !== asked.arguments_hash ? ['the arguments'] : []),
    ...(call?.kind !== undefined && call.kind !== asked.kind ? ['the kind'] : []),
    ...(call?.name !== undefined && call.name !== asked.name ? ['the name'] : []),
    ...(call?.version !== undefined && call.version !== asked.version ? ['the version'] : []),
  ]
  if (differs.length === 0) return
  const message = `Approval ${record.approval_id} is for ${describe(record)} as it was requested; the decision differs in: ${differs.join(', ')}.`
  throw new RefusedDecision(record, 'APPROVAL_MISMATCH', message, { differs })
}

function editOf({ call }: Approval, { decision, arguments: given }: Decision): Approval['edit'] {
  if (given === undefined) return null
  if (decision !== 'approve' || !isRecord(given)) {
    const message = 'Arguments can only be changed when a call is approved, and must be an object.'
    throw new MinionsError('VALIDATION_FAILED', message)
  }
  const edited = copyJson(given, 'The changed arguments')
  const diff = argumentChanges(call.arguments, edited)
  return diff.length === 0 ? null : { arguments: edited, arguments_hash: hashJson(edited), diff }
}

const MOST_DECISIONS = 1000

/** Throws `VALIDATION_FAILED` unless a person decides, on each approval once. */
export function checkDecisions(decisions: readonly Decision[], by: unknown): void {
  if (typeof by !== 'string' || by === '') {
    throw new MinionsError('VALIDATION_FAILED', 'A decision needs a person: name them with `by`.')
  }
  const ids = new Set(decisions.map(({ approval }) => approval))
  if (decisions.length === 0 || decisions.length > MOST_DECISIONS || ids.size < decisions.length) {
    throw new MinionsError('VALIDATION_FAILED', `Decide on 1 to ${MOST_DECISIONS} approvals at once, each only once.`)
  }
  if (decisions.some(({ decision }) => decision !== 'approve' && decision !== 'reject')) {
    throw new MinionsError('VALIDATION_FAILED', 'A decision is "approve" or "reject".')
  }
}
