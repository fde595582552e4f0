import { type Clock, generateId, MinionsError, messageOf, type Page, quote } from '@minions/core'
import {
  type ApprovalGate,
  type Clearance,
  guardMethods,
  type IdSource,
  mayBeSamePerson,
  readClock,
} from '@minions/core/plugin'
import { isStore, type StoreTransaction } from '@minions/core/storage'
import { contractsError } from '../errors.js'
import { loadDecisions } from '../gate/load-task-policy.js'
import { evaluateWriteback } from '../policy/evaluate-writeback.js'
import { POLICY_GATE_PRODUCER } from '../policy/latest-decision.js'
import type { PolicyConfig } from '../policy/policy-config.js'
import { CURES } from '../policy/verdict.js'
import { DECISION_TYPES, newDecision, type PolicyDecision } from '../schemas/policy-decision.js'
import type { WritebackProposal } from '../schemas/writeback-proposal.js'
import { applicationsCollection, collectionOf, missionsCollection } from '../store/collections.js'
import type { ColonyStore } from '../store/colony-store.js'
import type { PageOptions } from '../store/filters.js'
import { findOne, type Scope } from '../store/find-one.js'
import type { TenantReader } from '../store/tenant-reader.js'
import { approvedProposal, changeCall } from './change-call.js'
import { hasEnded, whileClaiming } from './claim.js'
import { resultOf } from './outcome.js'
import { APPLICATION_STATUSES, type Claim, type WritebackApplication } from './writeback-application.js'

export interface ProposalsOptions {
  readonly policy?: PolicyConfig
  readonly clock?: Clock
  readonly ids?: IdSource
  /** The approval gate for changes, if the app has approvals. */
  readonly approvals?: ApprovalGate | undefined
}

const MAX_ERROR_LENGTH = 1_000

/** Who decides on a proposal, and why. */
export interface ProposalDecision extends Scope {
  /** Becomes the producer of the policy decision. */
  readonly by: string
  readonly reason: string
}

/** A proposal with its state. */
export interface ProposalState {
  readonly proposal: WritebackProposal
  readonly decisions: readonly PolicyDecision[]
  /** Missing until it is decided on or applied. */
  readonly application: WritebackApplication | undefined
}

/** Status of a proposal; `open` until it is decided on, or applied without approval. */
export const PROPOSAL_STATUSES = ['open', ...APPLICATION_STATUSES] as const
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

/** Selects proposals of a tenant. */
export interface ProposalFilter extends PageOptions {
  readonly tenantId: string
  readonly missionId?: string | undefined
  readonly status?: ProposalStatus
}

/** A proposal in a list. */
export interface ListedProposal {
  readonly status: ProposalStatus
  readonly proposal: WritebackProposal
  /** Null until it is decided on or applied. */
  readonly application: WritebackApplication | null
}

/** The context of a handler, besides the proposal. */
export interface WritebackContext {
  /** The same for every attempt at a proposal: use it to avoid repeating what was already done. */
  readonly idempotencyKey: string
  /** From 1. More than 1 means that an earlier attempt failed, or that its outcome is unknown. */
  readonly attempt: number
}

/** Makes the change that a proposal requests. Its return value is stored as the `result`, if it is JSON. */
export type WritebackHandler = (proposal: WritebackProposal, context: WritebackContext) => unknown

export interface ApplyOptions extends Scope {
  /** Takes over an application that is `applying` even though it is unknown whether its process has ended. */
  readonly resume?: boolean
}

/**
 * Decides on writeback proposals and applies them, each once. An id alone identifies a proposal as long as one mission
 * has it; otherwise add `missionId` and `tenantId`.
 */
export class Proposals {
  readonly #store: ColonyStore
  readonly #options: ProposalsOptions

  constructor(store: ColonyStore, options: ProposalsOptions = {}) {
    this.#store = store
    this.#options = options
  }

  /** The same as part of a transaction, in which proposals can be decided on but not applied. */
  with(tx: StoreTransaction): Proposals {
    return new Proposals(this.#store.with(tx), this.#options)
  }

  /** A proposal, its decisions, and its status. Throws `NOT_FOUND` or `AMBIGUOUS_ID`. */
  async get(proposalId: string, scope: Scope = {}): Promise<ProposalState> {
    const { proposal, decisions, current } = await load(this.#store, proposalId, scope)
    return { proposal, decisions, application: current?.record }
  }

  /** A page of a tenant's proposals. With a `status` it may hold fewer than `limit` and not be the last. */
  async list({ tenantId, status, ...filter }: ProposalFilter): Promise<Page<ListedProposal>> {
    const reader = this.#store.forTenant(tenantId)
    let { cursor } = filter
    for (;;) {
      const page = await reader.list('writeback_proposal', { ...filter, cursor })
      const all = await Promise.all(page.items.map((proposal) => listed(reader, proposal)))
      const items = all.filter((each) => status === undefined || each.status === status)
      if (items.length > 0 || page.nextCursor === undefined) return { items, nextCursor: page.nextCursor }
      cursor = page.nextCursor
    }
  }

  /**
   * Records a policy decision that allows the proposal. Throws `CONFLICT` when it was already decided on or applied, and
   * `SELF_APPROVAL` for the one on whose behalf its mission runs.
   */
  approve(proposalId: string, decision: ProposalDecision): Promise<WritebackApplication> {
    return this.#decide(proposalId, 'approved', decision)
  }

  /** Records a policy decision that denies the proposal. Throws `CONFLICT` when it was decided on or applied before. */
  reject(proposalId: string, decision: ProposalDecision): Promise<WritebackApplication> {
    return this.#decide(proposalId, 'rejected', decision)
  }

  /**
   * Applies a proposal that policy allows (`POLICY_DENIED` otherwise), once: of several calls one runs its handler, and
   * the others throw `CONFLICT`. If the app's policy requires approval, it throws `APPROVAL_REQUIRED` until a person
   * has approved it, possibly with another target or payload; that counts as a decision. The handler runs outside any
   * transaction. If it throws, this throws `WRITEBACK_FAILED`, and the proposal can be applied again; after a crash it
   * stays `applying` until it is applied again. Either way the handler gets the same idempotency key.
   */
  async apply(
    proposalId: string,
    handler: WritebackHandler,
    options: ApplyOptions = {},
  ): Promise<WritebackApplication> {
    if (!isStore(this.#store.storage)) {
      const message = `Proposal ${quote(proposalId)} cannot be applied inside a transaction, which may be retried or rolled back; apply it afterwards.`
      throw contractsError('HANDLER_IN_TRANSACTION', message)
    }
    const cleared = await this.#clear(proposalId, options)
    return whileClaiming(async (claim) => {
      const { proposal, application, revision } = await this.#begin(proposalId, claim, options, cleared)
      const { idempotency_key: idempotencyKey, attempts: attempt } = application
      let outcome: Pick<WritebackApplication, 'status' | 'result' | 'error'>
      try {
        const result = await handler(proposal, { idempotencyKey, attempt })
        outcome = { status: 'applied', ...resultOf(result) }
      } catch (cause) {
        const error = messageOf(cause, MAX_ERROR_LENGTH)
        // Why the handler failed matters more than why that could not be recorded: it is then still `applying`.
        const recorded = await this.#finish(application, revision, { status: 'failed', error }).then(
          () => true,
          () => false,
        )
        const details = { proposalId, idempotencyKey, attempt, recorded }
        const message = `The handler of proposal ${quote(proposalId)} failed: ${error}`
        throw contractsError('WRITEBACK_FAILED', message, { cause, details })
      }
      return this.#finish(application, revision, outcome)
    })
  }

  /** Consults the policy of the app, and a person where it requires that. */
  async #clear(proposalId: string, { resume: _, ...scope }: ApplyOptions): Promise<Clearance | undefined> {
    const { approvals, policy } = this.#options
    if (approvals === undefined) return undefined
    const { proposal, decisions, current } = await load(this.#store, proposalId, scope)
    const verdict = evaluateWriteback(proposal, decisions, policy)
    const isOver = current?.record.status === 'applied' || current?.record.status === 'rejected'
    if (isOver || (!verdict.allowed && verdict.code !== 'NO_APPROVAL')) return undefined
    const envelope = await this.#store.storage.get(missionsCollection, proposal.mission_id)
    return approvals.require(changeCall(proposal, envelope))
  }

  async #decide(
    proposalId: string,
    status: 'approved' | 'rejected',
    { by, reason, ...scope }: ProposalDecision,
  ): Promise<WritebackApplication> {
    if (typeof by !== 'string' || by === '' || by === POLICY_GATE_PRODUCER || typeof reason !== 'string') {
      const message = 'A decision on a proposal needs `by`, a name other than that of the gate, and `reason`, a string.'
      throw new MinionsError('VALIDATION_FAILED', message)
    }
    const { clock, ids = generateId } = this.#options
    const decisionId = `pol_${ids()}`
    const at = readClock(clock)
    return this.#store.transaction(async (store) => {
      const { proposal, current, decisions } = await load(store, proposalId, scope)
      if (current || decisions.length > 0) throw conflict(proposal, current?.record.status ?? 'decided on')
      if (status === 'approved') refuseOwn(proposal, by)
      const decision = status === 'approved' ? 'allow' : 'deny'
      await store.put(decisionOn(proposal, { decision_id: decisionId, decision, reason, created_at: at, producer: by }))
      const application = { ...newApplication(proposal, by, at), status, decision_id: decisionId }
      await store.storage.put(applicationsCollection, application, { ifAbsent: true })
      return application
    })
  }

  /** Claims the proposal for one handler: the first to write `applying` wins. */
  #begin(proposalId: string, claim: Claim, { resume = false, ...scope }: ApplyOptions, cleared: Clearance | undefined) {
    const at = readClock(this.#options.clock)
    const decisionId = `pol_${(this.#options.ids ?? generateId)()}`
    return this.#store.transaction(async (store) => {
      const { proposal, current, decisions } = await load(store, proposalId, scope)
      const status = current?.record.status
      const mayResume = resume || (current?.record.claim !== undefined && hasEnded(current.record.claim))
      if (status === 'applied' || (status === 'applying' && !mayResume)) throw conflict(proposal, status)
      const approved = approvedProposal(proposal, cleared)
      if (cleared?.approval !== undefined && decisions.length === 0) {
        const decision = decisionOn(proposal, {
          decision_id: decisionId,
          decision: 'allow',
          reason: `approval ${cleared.approval}`,
          created_at: at,
          producer: cleared.approvedBy ?? '',
        })
        await store.put(decision)
        decisions.push(decision)
      }
      const verdict = evaluateWriteback(proposal, decisions, this.#options.policy)
      if (!verdict.allowed) {
        const cure = CURES[verdict.code]
        const message = `Proposal ${quote(proposalId)} is not applied: ${verdict.reason}. ${cure}`
        throw contractsError('POLICY_DENIED', message, {
          details: { verdict: verdict.code, reason: verdict.reason, proposalId, missionId: proposal.mission_id },
        })
      }
      const before = current?.record ?? newApplication(proposal, proposal.producer, at)
      const attempts = before.attempts + 1
      const application: WritebackApplication = { ...before, status: 'applying', attempts, updated_at: at, claim }
      const expected = current ? { ifRevision: current.revision } : ({ ifAbsent: true } as const)
      const revision = await store.storage.put(applicationsCollection, application, expected)
      return { proposal: approved, application, revision }
    })
  }

  async #finish(
    { claim: _, error: __, ...application }: WritebackApplication,
    revision: string,
    outcome: Pick<WritebackApplication, 'status' | 'result' | 'error'>,
  ): Promise<WritebackApplication> {
    const finished = { ...application, ...outcome, updated_at: readClock(this.#options.clock) }
    await this.#store.storage.put(applicationsCollection, finished, { ifRevision: revision })
    return finished
  }
}

guardMethods(Proposals, { callsBack: ['apply'] })

async function listed(reader: TenantReader, proposal: WritebackProposal): Promise<ListedProposal> {
  const application = (await reader.application(proposal.mission_id, proposal.proposal_id)) ?? null
  return { status: application?.status ?? 'open', proposal, application }
}

async function load(store: ColonyStore, proposalId: string, scope: Scope) {
  const { storage } = store
  const stored = await findOne(storage, collectionOf('writeback_proposal'), 'proposal_id', proposalId, scope)
  const { mission_id } = stored
  const current = await storage.getRevised(applicationsCollection, [mission_id, proposalId])
  const about = { type: DECISION_TYPES.writeback, subject: proposalId }
  const decisions: PolicyDecision[] = [...(await loadDecisions(storage, mission_id, about))]
  return { proposal: store.registry.upcast(stored), current, decisions }
}

function decisionOn(
  { mission_id, proposal_id }: WritebackProposal,
  decided: Pick<PolicyDecision, 'decision_id' | 'decision' | 'reason' | 'created_at' | 'producer'>,
): PolicyDecision {
  return newDecision({ mission_id, decision_type: DECISION_TYPES.writeback, subject: proposal_id, ...decided })
}

function newApplication({ mission_id, proposal_id, tenant_id }: WritebackProposal, producer: string, at: string) {
  return {
    mission_id,
    proposal_id,
    tenant_id: tenant_id as string,
    // Mission ids are globally unique, and proposal ids within their mission.
    idempotency_key: `${mission_id}/${proposal_id}`,
    attempts: 0,
    producer,
    created_at: at,
    updated_at: at,
  }
}

/** The one on whose behalf a mission runs may withdraw what it proposes, but not allow it. */
function refuseOwn({ mission_id, proposal_id, actor_id }: WritebackProposal, by: string): void {
  if (actor_id === undefined || !mayBeSamePerson(by, actor_id)) return
  const message = `The mission of proposal ${quote(proposal_id)} runs on behalf of "${actor_id}"; another person than "${by}" must approve it.`
  throw contractsError('SELF_APPROVAL', message, { details: { missionId: mission_id, proposalId: proposal_id } })
}

function conflict({ mission_id, proposal_id }: WritebackProposal, status: string): Error {
  const advice =
    status === 'applying' ? ' If the process that began it is known to have ended, apply it with `resume`.' : ''
  return new MinionsError('CONFLICT', `Proposal ${quote(proposal_id)} is already ${status}.${advice}`, {
    details: { missionId: mission_id, proposalId: proposal_id, status },
  })
}
