import { MinionsError, type Page, quote } from '@minions/core'
import { systemTimers, type Timers } from '@minions/core/coordination'
import type { JsonObject } from '@minions/core/json'
import {
  type ApprovalGate,
  type AuditTrail,
  type Clearance,
  type ClearOptions,
  type GuardedCall,
  guardMethods,
  type RequireOptions,
  readMillis,
  requireFunction,
  takeOptions,
} from '@minions/core/plugin'
import { type Revised, retryConflicts, type StoreAccess, unlessConflict } from '@minions/core/storage'
import { approvalsError } from '../errors.js'
import { Deliveries } from '../notify/deliveries.js'
import type { ApprovalNotifier } from '../notify/notifier.js'
import type { PolicyVerdict } from '../policy/policy.js'
import type { PolicyRule } from '../policy/rule.js'
import { PolicyVersions } from '../policy/versions.js'
import { auditor } from './auditor.js'
import { awaitDecision } from './await-decision.js'
import { toApprovedCall, toPolicyCall } from './call.js'
import { DecisionFeed } from './decision-feed.js'
import { checkDecisions, type Decision, decisionChange, RefusedDecision } from './decisions.js'
import { DueTimes } from './due-times.js'
import { type Change, changeOf, Journal } from './journal.js'
import { type ApprovalFilter, listApprovals } from './list.js'
import { type Approval, type ApprovalEvent, approvalEventsCollection, approvalsCollection } from './record.js'
import { Requests, required, termsOf, wantedBy } from './requests.js'
import type { ApprovalServices } from './services.js'
import { describe, noSuchApproval, present, statusAt } from './state.js'
import { useApproval } from './use-approval.js'
import { watchApprovals } from './watch-approvals.js'

const DAY = 86_400_000
const MAX_TRIES = 20
const LONGEST_ID = 200

/** The parts of approvals. */
export interface ApprovalsParts extends Omit<ApprovalServices, 'timers'> {
  readonly timers?: Timers | undefined
  readonly audit?: AuditTrail | undefined
  /** Notifiers, such as `webhook({ url, secret })`; plugins may contribute more. */
  readonly notifiers?: readonly ApprovalNotifier[]
  /** The policy until a version is published with `policy.publish`; the first rule that matches decides. */
  readonly rules?: readonly PolicyRule[]
  /** Default number of milliseconds to decide; a day by default. */
  readonly expiresInMs?: number | undefined
  /** Milliseconds within which a granted approval must be used; a day by default. */
  readonly validForMs?: number | undefined
}

/** Approvals of one tenant; of all by default. */
export interface ApprovalScope {
  readonly tenant?: string | undefined
}

/** Who decides. */
export interface DeciderOptions extends ApprovalScope {
  readonly by: string
}

export interface DecideOptions extends DeciderOptions, Pick<Decision, 'reason' | 'hash'> {}

export interface EditOptions extends DecideOptions, Pick<Decision, 'call'> {
  readonly arguments: JsonObject
}

/**
 * Approvals: a policy says what is allowed, what is denied and what a person must decide; a decision is made once and
 * is valid for one use of one exact call.
 */
export class Approvals implements ApprovalGate {
  readonly policy: PolicyVersions
  readonly #parts: ApprovalsParts & { readonly timers: Timers }
  readonly #journal: Journal
  readonly #feed: DecisionFeed
  readonly #due: DueTimes
  readonly #requests: Requests
  readonly #deliveries: Deliveries
  readonly #closing = new AbortController()

  constructor(given: ApprovalsParts) {
    const taken = takeOptions('The parts of approvals', given)
    const parts = { ...taken, timers: taken.timers ?? systemTimers }
    const { storage, clock, notifiers = [], expiresInMs = DAY } = parts
    const audit = auditor(parts.audit, parts.log)
    this.#parts = parts
    this.policy = new PolicyVersions(storage, clock, parts.rules ?? [], audit)
    this.#deliveries = new Deliveries({ ...parts, notifiers })
    const onNotices = () => this.#deliveries.wake()
    const journal = new Journal({ ...parts, audit, notifiers: this.#deliveries.names, onNotices })
    this.#journal = journal
    this.#feed = new DecisionFeed(parts)
    this.#due = new DueTimes({ ...parts, journal })
    this.#requests = new Requests({ ...parts, journal, due: this.#due, expiresInMs })
  }

  /** Starts expiring and escalating approvals, and delivering pending notifications. */
  start(): void {
    void this.#due.sweep()
    this.#deliveries.wake()
  }

  async clear(call: GuardedCall, { signal, onWaiting }: ClearOptions = {}): Promise<Clearance> {
    if (typeof call !== 'object')
      throw new MinionsError('VALIDATION_FAILED', `A call is an object, not ${quote(call)}.`)
    const verdict = await this.#verdict(call)
    if (verdict.action === 'allow' && !(await this.#wasAsked(call))) {
      return { arguments: toApprovedCall(call).arguments }
    }
    const asked = await this.#requests.ask(call, termsOf(verdict))
    const { approval_id } = asked
    if (statusAt(asked, this.#now()) === 'pending') onWaiting?.(approval_id)
    await this.wait(approval_id, { signal })
    return useApproval(this.#using, approval_id, call, { isResumable: true })
  }

  async require(call: GuardedCall, { tx, ask }: RequireOptions = {}): Promise<Clearance> {
    const verdict = await this.#verdict(call, tx)
    if (verdict.action === 'allow' && ask === undefined && !(await this.#wasAsked(call, tx))) {
      return { arguments: toApprovedCall(call).arguments }
    }
    const { version } = verdict
    const terms = verdict.action === 'allow' ? { why: ask ?? '', rule: undefined, version } : termsOf(verdict)
    const asked = tx ? await this.#requests.find(call, tx) : await this.#requests.ask(call, terms)
    const status = asked && statusAt(asked, this.#now())
    // One use is requested once, so its outcome is the answer.
    const isDecided = status === 'approved' || (call.use !== undefined && status !== 'pending')
    if (asked && isDecided) return useApproval(this.#using, asked.approval_id, call, { tx, isResumable: true })
    throw required(call, terms, tx ? undefined : asked)
  }

  async asking<T>(work: () => Promise<T>): Promise<T> {
    requireFunction('asking', work)
    try {
      return await work()
    } catch (error) {
      const request = wantedBy(error)
      if (request === undefined) {
        await this.#journal.recordRefusal(error)
        throw error
      }
      throw required(request.call, request.terms, await this.#requests.ask(request.call, request.terms))
    }
  }

  /**
   * Requests an approval, even of what the policy allows; a rule that asks names the approvers. Repeating an open
   * request returns the same approval. Throws `POLICY_DENIED`.
   */
  async ask(call: GuardedCall, why: string): Promise<Approval> {
    const { decidedBy, action, version } = await this.#verdict(call)
    return this.#requests.ask(call, { why, rule: action === 'ask' ? decidedBy : undefined, version })
  }

  /** A page of approvals, the oldest first. */
  async list(filter: ApprovalFilter = {}): Promise<Page<Approval>> {
    return listApprovals(this.#parts.storage, filter, this.#now())
  }

  /** An approval. Throws `NOT_FOUND`, even for one of another tenant. */
  async get(id: string, { tenant }: ApprovalScope = {}): Promise<Approval> {
    return present((await this.#load(id, tenant)).record, this.#now())
  }

  /** The history of an approval, oldest first, including refused attempts. */
  async history(id: string, scope: ApprovalScope = {}): Promise<ApprovalEvent[]> {
    const { approval_id } = await this.get(id, scope)
    const events: ApprovalEvent[] = []
    const query = { where: { approval_id }, orderBy: [{ field: 'at' }, { field: 'number' }] }
    for await (const { record } of this.#parts.storage.iterate(approvalEventsCollection, query)) events.push(record)
    return events
  }

  async approve(id: string, { by, tenant, ...decision }: DecideOptions): Promise<Approval> {
    return this.#decideOne({ ...decision, approval: id, decision: 'approve' }, { by, tenant })
  }

  async reject(id: string, { by, tenant, ...decision }: DecideOptions): Promise<Approval> {
    return this.#decideOne({ ...decision, approval: id, decision: 'reject' }, { by, tenant })
  }

  /** Approves a call with other arguments. The change is recorded; the policy is consulted about the new arguments. */
  async edit(id: string, { by, tenant, ...decision }: EditOptions): Promise<Approval> {
    return this.#decideOne({ ...decision, approval: id, decision: 'approve' }, { by, tenant })
  }

  /**
   * Decides on several approvals, all or none. Throws `CONFLICT`, which says who decided, if another person was first;
   * `SELF_APPROVAL`, `NOT_AN_APPROVER`, `APPROVAL_EXPIRED` or `APPROVAL_MISMATCH`.
   */
  async decide(decisions: readonly Decision[], { by, tenant }: DeciderOptions): Promise<Approval[]> {
    checkDecisions(decisions, by)
    // After a conflict, the approvals are read again to find who was first.
    return retryConflicts(async (write) => {
      const changes: Change[] = []
      for (const decision of decisions) changes.push(await this.#change(decision, by, tenant))
      await write(this.#journal.write(changes))
      return changes.map(({ approval }) => approval)
    }, MAX_TRIES)
  }

  /** Resolves once an approval is not pending, whatever process decided it. Rejects with the reason of the signal. */
  async wait(id: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Approval> {
    const load = () => this.#load(id)
    const expire = (found: Revised<Approval>) => this.#due.expire(found)
    return awaitDecision(id, { ...this.#parts, feed: this.#feed, load, expire }, this.#endingWith(signal))
  }

  /** Approvals as they change, in any process, from now until the signal aborts. */
  watch(options: ApprovalScope & { readonly signal?: AbortSignal } = {}): AsyncIterable<Approval> {
    return watchApprovals(this.#parts, options.tenant, this.#endingWith(options.signal))
  }

  /**
   * Uses an approval for a call, once. Throws `APPROVAL_MISMATCH` unless it is for exactly this call by the same
   * person, `POLICY_DENIED` for what a rule now denies, `APPROVAL_USED`, `APPROVAL_REQUIRED`, `APPROVAL_REJECTED` or
   * `APPROVAL_EXPIRED`. In a transaction, it is used on commit.
   */
  async use(id: string, call: GuardedCall, { tx }: { readonly tx?: StoreAccess } = {}): Promise<Clearance> {
    return useApproval(this.#using, id, call, { tx })
  }

  async waiting(mission: string): Promise<{ approval: string; task: string | null }[]> {
    const { items } = await this.list({ mission, status: 'pending', limit: 1000 })
    return items.map(({ approval_id, call }) => ({ approval: approval_id, task: call.task_id }))
  }

  async withdraw(mission: string): Promise<void> {
    const query = { where: { 'call.mission_id': mission, status: 'pending' } }
    for await (const found of this.#parts.storage.iterate(approvalsCollection, query)) {
      const message = `the caller that asked for ${describe(found.record)} has ended`
      const change = changeOf(found, { status: 'withdrawn' }, { kind: 'withdrawn', by: null, message })
      // One that was decided concurrently stays so.
      await unlessConflict(this.#journal.write([change]))
    }
  }

  /** Resolves when all notifications that are due have been tried. */
  settle(): Promise<void> {
    return this.#deliveries.settle()
  }

  async close(): Promise<void> {
    const message = 'The app was closed while an approval was awaited; resume the caller that asked for it.'
    this.#closing.abort(new MinionsError('CLOSED', message))
    this.#feed.close()
    await this.#due.close()
    await this.#deliveries.close()
  }

  get #using() {
    const judge = (call: GuardedCall, access: StoreAccess) => this.#verdict(call, access)
    return { ...this.#parts, journal: this.#journal, judge }
  }

  #now(): number {
    return readMillis(this.#parts.clock)
  }

  #endingWith(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal
  }

  /** Throws `POLICY_DENIED` for a call that a rule denies. */
  async #verdict(call: GuardedCall, storage?: StoreAccess): Promise<PolicyVerdict> {
    const verdict = await this.policy.explain(toPolicyCall(call), storage)
    if (verdict.action !== 'deny') return verdict
    const { rule, reason, version } = verdict
    const what = `The ${call.kind} ${quote(call.name)} is denied by rule "${rule}" of the policy`
    throw approvalsError('POLICY_DENIED', `${what}: ${reason}. See minions policy explain.`, {
      details: { kind: call.kind, name: call.name, rule, reason, version },
    })
  }

  /** A request stands, even in a process with other rules, or after the policy has changed. */
  async #wasAsked(call: GuardedCall, storage = this.#parts.storage): Promise<boolean> {
    return call.use !== undefined && (await this.#requests.find(call, storage)) !== undefined
  }

  async #decideOne(decision: Decision, options: DeciderOptions): Promise<Approval> {
    const [approval] = await this.decide([decision], options)
    return approval as Approval
  }

  async #change(decision: Decision, by: string, tenant: string | undefined): Promise<Change> {
    const found = await this.#load(decision.approval, tenant, by)
    try {
      const change = decisionChange(found, decision, by, this.#now(), this.#parts.validForMs ?? DAY)
      if (change.kind === 'edited') await this.#checkEdit(change.approval, by)
      return change
    } catch (error) {
      if (!(error instanceof RefusedDecision)) throw error
      const { refusal } = error
      if (refusal.code === 'APPROVAL_EXPIRED' && found.record.status === 'pending') await this.#due.expire(found)
      await this.#journal.refused(found.record, by, refusal)
      throw refusal
    }
  }

  /** An edit cannot approve what the policy denies, or what others must decide on. */
  async #checkEdit(approval: Approval, decider: string): Promise<void> {
    const { call, edit, asked_by: by, asked_at, tenant_id } = approval
    const { kind, name, version, role, sensitivity, cost } = call
    const edited = { kind, name, by, arguments: edit?.arguments, version, tenant: tenant_id, role, sensitivity, cost }
    const { action, rule, reason, decidedBy } = await this.policy.explain(toPolicyCall(edited))
    if (action === 'deny') {
      const message = `With these arguments rule "${rule}" denies the call: ${reason}.`
      throw new RefusedDecision(approval, 'POLICY_DENIED', message, { rule })
    }
    const { approvers, escalate } = decidedBy?.ask ?? {}
    if (approvers === undefined || approvers.includes(decider)) return
    const isEscalated = escalate !== undefined && this.#now() >= Date.parse(asked_at) + escalate.after
    if (isEscalated && escalate.to.includes(decider)) return
    const message = `With these arguments rule "${rule}" does not let "${decider}" decide; it names ${approvers.join(', ')}.`
    throw new RefusedDecision(approval, 'NOT_AN_APPROVER', message, { rule })
  }

  /** Throws `NOT_FOUND`. An attempt to decide on an approval of another tenant is recorded. */
  async #load(id: string, tenant?: string, by?: string): Promise<Revised<Approval>> {
    const isUsable = typeof id === 'string' && id !== '' && id.length <= LONGEST_ID
    const found = isUsable ? await this.#parts.storage.getRevised(approvalsCollection, id) : undefined
    if (found === undefined) throw noSuchApproval(id)
    if (tenant === undefined || found.record.tenant_id === tenant) return found
    if (by !== undefined) {
      const message = `"${by}" of tenant "${tenant}" tried to decide on it`
      await this.#journal.refused(found.record, by, new MinionsError('NOT_FOUND', message))
    }
    throw noSuchApproval(id)
  }
}

guardMethods(Approvals, { callsBack: ['asking', 'clear'] })
