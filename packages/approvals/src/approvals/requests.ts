import { type Clock, isMinionsError, MinionsError, quote, timestamp } from '@minions/core'
import { type GuardedCall, readMillis } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import { approvalsError } from '../errors.js'
import type { PolicyVerdict } from '../policy/policy.js'
import type { PolicyRule } from '../policy/rule.js'
import { type ApprovedCall, bindingOf, hashJson, toApprovedCall } from './call.js'
import type { DueTimes } from './due-times.js'
import type { Journal } from './journal.js'
import { type Approval, approvalsCollection } from './record.js'
import { describe, statusAt } from './state.js'

interface RequestParts {
  readonly storage: StoreAccess
  readonly clock: Clock
  readonly journal: Journal
  readonly due: DueTimes
  /** Milliseconds to decide, where a rule does not say. */
  readonly expiresInMs: number
}

/** Why a person is asked, and how. */
export interface AskTerms {
  readonly why: string
  readonly rule: PolicyRule | undefined
  readonly version: number
}

/** How often one and the same call can be asked for anew. */
const MOST_ROUNDS = 1000

/** Asks for approvals. Asking twice for the same, also in two processes, is asking once. */
export class Requests {
  readonly #parts: RequestParts

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  /** The approval of a call that is open or usable; otherwise the last of those that are over. */
  async find(call: GuardedCall, storage: StoreAccess): Promise<Approval | undefined> {
    const binding = bindingOf(toApprovedCall(call), call.by, call.tenant ?? null)
    let last: Approval | undefined
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const found = await storage.get(approvalsCollection, approvalId(binding, round))
      if (found === undefined) break
      last = found
      if (this.#isOpen(found)) break
    }
    return last
  }

  async ask(call: GuardedCall, terms: AskTerms): Promise<Approval> {
    const { storage } = this.#parts
    const approved = toApprovedCall(call)
    const binding = bindingOf(approved, call.by, call.tenant ?? null)
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const id = approvalId(binding, round)
      const known = await storage.get(approvalsCollection, id)
      const found = known ?? (await this.#create({ id, binding, approved }, call, terms))
      // One use is asked for once, however that ended; a call without a use may be asked for again.
      if (call.use !== undefined || this.#isOpen(found)) return found
    }
    throw new MinionsError(
      'CONFLICT',
      `The ${call.kind} ${quote(call.name)} was asked for ${MOST_ROUNDS} times already.`,
    )
  }

  async #create(
    { id, binding, approved }: { readonly id: string; readonly binding: string; readonly approved: ApprovedCall },
    { by, tenant }: GuardedCall,
    { why, rule, version }: AskTerms,
  ): Promise<Approval> {
    const { storage, clock, journal, due, expiresInMs } = this.#parts
    const { approvers = null, expiresIn = expiresInMs, escalate } = rule?.ask ?? {}
    const at = readMillis(clock)
    const approval: Approval = {
      approval_id: id,
      tenant_id: tenant ?? null,
      status: 'pending',
      call: approved,
      binding,
      why,
      rule: rule?.name ?? null,
      policy_version: version,
      asked_by: by,
      asked_at: timestamp(at),
      expires_at: timestamp(at + expiresIn),
      approvers,
      escalates_to: escalate?.to ?? null,
      escalates_at: escalate ? timestamp(at + escalate.after) : null,
      escalated_at: null,
      decided_by: null,
      decided_at: null,
      reason: null,
      edit: null,
      valid_until: null,
      used_at: null,
      changes: 1,
    }
    const message = `${by} asks for ${describe(approval)}: ${why}`
    try {
      await journal.write([{ approval, expect: { ifAbsent: true }, kind: 'asked', by, message }])
    } catch (error) {
      const found = isMinionsError(error, 'CONFLICT') ? await storage.get(approvalsCollection, id) : undefined
      if (found === undefined) throw error
      return found
    }
    due.note(approval)
    return approval
  }

  #isOpen(approval: Approval): boolean {
    const status = statusAt(approval, readMillis(this.#parts.clock))
    return status === 'pending' || status === 'approved'
  }
}

export function termsOf({ reason, decidedBy, version }: PolicyVerdict): AskTerms {
  return { why: reason, rule: decidedBy, version }
}

/** Calls that were refused for want of an approval, by the error that says so. */
const wanted = new WeakMap<object, { readonly call: GuardedCall; readonly terms: AskTerms }>()

/** The call that an error says an approval is needed for, if it is such an error. */
export function wantedBy(error: unknown) {
  return typeof error === 'object' && error !== null ? wanted.get(error) : undefined
}

/** Says that a call needs an approval: the one that was asked for, or one that no one asked for yet. */
export function required(call: GuardedCall, terms: AskTerms, asked: Approval | undefined): Error {
  const what = `The ${call.kind} ${quote(call.name)} needs an approval: ${terms.why}.`
  const how = asked
    ? ` A person other than "${call.by}" can give it with: minions approvals approve ${asked.approval_id}`
    : ''
  const error = approvalsError('APPROVAL_REQUIRED', what + how, {
    details: { approval: asked?.approval_id ?? null, kind: call.kind, name: call.name },
  })
  wanted.set(error, { call, terms })
  return error
}

/** The same call has the same id. */
export function approvalId(binding: string, round: number): string {
  return `apr_${hashJson([binding, round]).slice(0, 32)}`
}
