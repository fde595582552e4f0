import type { JsonObject } from '../json/json-value.js'
import type { StoreAccess } from '../storage/access.js'
import { createToken } from './token.js'

/** Kinds of calls that a policy decides on. */
export const GUARDED_KINDS = ['tool', 'skill', 'data', 'writeback', 'label'] as const

export type GuardedKind = (typeof GUARDED_KINDS)[number]

/** A call that is about to be made, as a policy sees it. */
export interface GuardedCall {
  readonly kind: GuardedKind
  /** The tool, skill, data scope, kind of change or label. */
  readonly name: string
  /** Version of the skill, where it has one. */
  readonly version?: string | undefined
  readonly arguments?: JsonObject | undefined
  /** The person on whose behalf it is made, who cannot approve it. */
  readonly by: string
  readonly tenant?: string | undefined
  readonly mission?: string | undefined
  readonly task?: string | undefined
  readonly agent?: string | undefined
  /** Role of the task in its mission. */
  readonly role?: string | undefined
  /** Sensitivity class of the mission. */
  readonly sensitivity?: string | undefined
  /** Expected cost, if known. */
  readonly cost?: number | undefined
  /** An approval is good for one use; the same call after a restart is the same use. */
  readonly use?: string | undefined
}

/** A call that may be made now. */
export interface Clearance {
  /** The arguments to use: those of the call, unless the approver changed them. */
  readonly arguments: JsonObject
  /** Id of the approval used; undefined if none was needed. */
  readonly approval?: string | undefined
  /** The approver. */
  readonly approvedBy?: string | undefined
}

export interface ClearOptions {
  /** Ends the wait for a decision. */
  readonly signal?: AbortSignal | undefined
  /** Called with the id of the approval once a decision is awaited. */
  readonly onWaiting?: ((approval: string) => void) | undefined
}

export interface RequireOptions {
  /** The transaction in which the approval is used. */
  readonly tx?: StoreAccess | undefined
  /** Reason why a person must approve the call regardless of the policy. */
  readonly ask?: string | undefined
}

/** Codes with which a gate refuses a call. */
export type GateErrorCode = 'POLICY_DENIED' | 'APPROVAL_REQUIRED' | 'APPROVAL_REJECTED' | 'APPROVAL_EXPIRED'

/** The checks a call must pass before it is made: a policy and, where the policy requires it, a person's approval. */
export interface ApprovalGate {
  /**
   * Resolves as soon as the call may be made, which may take a person's decision. Throws `POLICY_DENIED`,
   * `APPROVAL_REJECTED` or `APPROVAL_EXPIRED`.
   */
  clear(call: GuardedCall, options?: ClearOptions): Promise<Clearance>
  /**
   * The same without waiting: throws `APPROVAL_REQUIRED` until the call is approved; then the same call passes, once.
   * Approvals cannot be requested inside a transaction: wrap it in `asking`.
   */
  require(call: GuardedCall, options?: RequireOptions): Promise<Clearance>
  /** Runs work and, if it fails with `APPROVAL_REQUIRED`, requests the approval; the error then names it. */
  asking<T>(work: () => Promise<T>): Promise<T>
  /** Resolves once a person has decided on an approval, or it has expired. */
  wait(approval: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>
  /** The approvals a mission is waiting for. */
  waiting(mission: string): Promise<readonly { readonly approval: string; readonly task: string | null }[]>
  /** Withdraws the undecided approval requests of a mission. */
  withdraw(mission: string): Promise<void>
}

/** Token of the approvals of an app. `@minions/approvals` provides it; depend on it as `optional(approvalGate)`. */
export const approvalGate = createToken<ApprovalGate>('@minions/core/approval-gate')
