import type { JsonObject } from '../json/json-value.js'
import type { StoreAccess } from '../storage/access.js'
import { createToken } from './token.js'

/** Kinds of calls that a policy rules on. */
export const GUARDED_KINDS = ['tool', 'skill', 'data', 'writeback', 'label'] as const

export type GuardedKind = (typeof GUARDED_KINDS)[number]

/** Something that is about to be done, as a policy sees it. */
export interface GuardedCall {
  readonly kind: GuardedKind
  /** The tool, skill, data scope, kind of change or label. */
  readonly name: string
  /** Version of the skill, where it has one. */
  readonly version?: string | undefined
  readonly arguments?: JsonObject | undefined
  /** On whose behalf it is done. This person cannot approve it. */
  readonly by: string
  readonly tenant?: string | undefined
  readonly mission?: string | undefined
  readonly task?: string | undefined
  readonly agent?: string | undefined
  /** Role of the task in its mission. */
  readonly role?: string | undefined
  /** Sensitivity class of the mission. */
  readonly sensitivity?: string | undefined
  /** What it is expected to cost, if that is known. */
  readonly cost?: number | undefined
  /** Tells one use from the next: an approval is good for one. The same again after a restart is the same use. */
  readonly use?: string | undefined
}

/** A call that may be done now. */
export interface Clearance {
  /** The arguments to do it with: those of the call, unless the approver has changed them. */
  readonly arguments: JsonObject
  /** Id of the approval that was used; undefined if none was needed. */
  readonly approval?: string | undefined
  /** Who approved it. */
  readonly approvedBy?: string | undefined
}

export interface ClearOptions {
  /** Ends the wait for a decision. */
  readonly signal?: AbortSignal | undefined
  /** Called with the id of the approval once a decision is awaited. */
  readonly onWaiting?: ((approval: string) => void) | undefined
}

export interface RequireOptions {
  /** A transaction in which the approval is used. */
  readonly tx?: StoreAccess | undefined
  /** Why a person must approve the call whatever the policy says. */
  readonly ask?: string | undefined
}

/** What a call must pass before it is done: a policy and, where that says so, a person. */
export interface ApprovalGate {
  /**
   * Resolves as soon as the call may be done, which may take a person's decision. Throws `POLICY_DENIED`,
   * `APPROVAL_REJECTED` or `APPROVAL_EXPIRED`.
   */
  clear(call: GuardedCall, options?: ClearOptions): Promise<Clearance>
  /**
   * The same without waiting: throws `APPROVAL_REQUIRED` until the call is approved; then the same call passes, once. In a
   * transaction nothing can be asked: use `asking` around it.
   */
  require(call: GuardedCall, options?: RequireOptions): Promise<Clearance>
  /** Runs work and, where it is refused with `APPROVAL_REQUIRED`, asks for the approval; the error then names it. */
  asking<T>(work: () => Promise<T>): Promise<T>
  /** Resolves once a person has decided on an approval, or its time is over. */
  wait(approval: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>
  /** What a mission waits for. */
  waiting(mission: string): Promise<readonly { readonly approval: string; readonly task: string | null }[]>
  /** Takes back what a mission has asked for and no one decided on. */
  withdraw(mission: string): Promise<void>
}

/** Stands for the approvals of an app. `@minions/approvals` provides it; ask for it as `optional(approvalGate)`. */
export const approvalGate = createToken<ApprovalGate>('@minions/core/approval-gate')
