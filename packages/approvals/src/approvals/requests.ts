import { coreError, MinionsError, quote, timestamp } from '@minions/core'
import { type GuardedCall, readMillis } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import { approvalsError } from '../errors.js'
import type { PolicyVerdict } from '../policy/policy.js'
import type { PolicyRule } from '../policy/rule.js'
import { type ApprovedCall, bindingOf, hashJson, toApprovedCall } from './call.js'
import type { DueTimes } from './due-times.js'
import type { Journal } from './journal.js'
import { type Approval, approvalsCollection } from './record.js'
import type { ApprovalServices } from './services.js'
import { describe, statusAt } from './state.js'

interface RequestParts extends ApprovalServices {
  readonly journal: Journal
  readonly due: DueTimes
  readonly expiresInMs: number
}

export interface AskTerms {
  readonly why: string
  readonly rule: PolicyRule | undefined
  readonly version: number
}

const MOST_ROUNDS = 1000

/** Requests approvals. Requesting the same twice, even in two processes, is one request. */
export class Requests {
  readonly #parts: RequestParts

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  /** The open or usable approval of a call; otherwise the last one. */
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
      // One use is requested once, however that ended; a call without a use may be requested again.
      if (call.use !== undefined || this.#isOpen(found)) return found
    }
    const message = `The ${call.kind} ${quote(call.name)} was already requested ${MOST_ROUNDS} times.`
    throw new MinionsError('CONFLICT', message)
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
      const found = coreError.is(error, 'CONFLICT') ? await storage.get(approvalsCollection, id) : undefined
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

/** Calls that were refused because they lack an approval, by their error. */
const wanted = new WeakMap<object, { readonly call: GuardedCall; readonly terms: AskTerms }>()

export function wantedBy(error: unknown) {
  return typeof error === 'object' && error !== null ? wanted.get(error) : undefined
}

export function required(call: GuardedCall, terms: AskTerms, asked: Approval | undefined): Error {
  const what = `The ${call.kind} ${quote(call.name)} needs an approval: ${terms.why}.`
  const how = asked
    ? ` A person other than "${call.by}" can grant it with: minions approvals approve ${asked.approval_id}`
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
