import { type Clock, generateId, quote, timestamp } from '@minions/core'
import { inKeyOrder } from '@minions/core/json'
import { guarded, guardMethods, type IdSource, readMillis } from '@minions/core/plugin'
import { retryConflicts, type StoreTransaction, WriteBatch } from '@minions/core/storage'
import { contractsError } from '../errors.js'
import { evaluateDataScope } from '../policy/evaluate-data-scope.js'
import { evaluateTool } from '../policy/evaluate-tool.js'
import { POLICY_GATE_PRODUCER } from '../policy/latest-decision.js'
import type { PolicyConfig } from '../policy/policy-config.js'
import type { TaskPolicy } from '../policy/task-policy.js'
import { CURES, deny, type Verdict } from '../policy/verdict.js'
import { DECISION_TYPES, newDecision, type PolicyDecision } from '../schemas/policy-decision.js'
import { missionsCollection, tasksCollection } from '../store/collections.js'
import type { ColonyStore } from '../store/colony-store.js'
import type { TaskFacts } from './load-task-policy.js'
import { PolicyCache } from './policy-cache.js'
import type { TaskRef } from './task-ref.js'

export interface PolicyGateOptions {
  readonly policy?: PolicyConfig
  /** Clock by which passes expire. */
  readonly clock?: Clock
  readonly ids?: IdSource
}

/** A verdict of the gate, and the decision that records it. */
export interface GateAnswer {
  readonly verdict: Verdict
  /** Missing when the mission is not known, so that it cannot be recorded. */
  readonly decision?: PolicyDecision
}

/** Further restrictions on a tool. */
export interface ToolCheckOptions {
  /** Tools requested by the skills in use; undefined when they do not declare any. */
  readonly skillTools?: readonly string[] | undefined
}

interface Check {
  readonly type: (typeof DECISION_TYPES)['tool' | 'data']
  readonly subject: string
  readonly evaluate: (policy: TaskPolicy, subject: string) => Verdict
}

const storageOf = guarded('A policy gate', ({ storage }: ColonyStore) => storage)

/**
 * Decides what a task may do, from the stored artifacts of its mission, and records every verdict as a policy decision.
 * Anything not granted is denied.
 *
 * The policy is read once and cached. A verdict is recorded only if the mission and the task have the revisions that
 * were read, so a verdict never rests on outdated data.
 */
export class PolicyGate {
  readonly #store: ColonyStore
  readonly #options: PolicyGateOptions
  readonly #cache: PolicyCache

  constructor(store: ColonyStore, options: PolicyGateOptions = {}) {
    this.#store = store
    this.#options = options
    this.#cache = new PolicyCache(storageOf(store))
  }

  /** The same gate as part of a transaction. Its records are rolled back with it, including denials. */
  with(tx: StoreTransaction): PolicyGate {
    return new PolicyGate(this.#store.with(tx), this.#options)
  }

  /** Checks whether a task may currently use a tool. `skillTools` restricts it to those that skills in use request. */
  checkTool(task: TaskRef, tool: string, { skillTools }: ToolCheckOptions = {}): Promise<GateAnswer> {
    const evaluate = (policy: TaskPolicy, subject: string) =>
      evaluateTool(skillTools ? { ...policy, skillTools } : policy, subject)
    return this.#check(task, { type: DECISION_TYPES.tool, subject: tool, evaluate })
  }

  /** Checks whether a task may currently read a data scope, or resource family. */
  checkDataScope(task: TaskRef, scope: string): Promise<GateAnswer> {
    return this.#check(task, { type: DECISION_TYPES.data, subject: scope, evaluate: evaluateDataScope })
  }

  /** Resolves to the decision that allows the tool; throws `POLICY_DENIED` otherwise. */
  async assertToolAllowed(task: TaskRef, tool: string, options?: ToolCheckOptions): Promise<PolicyDecision> {
    return allowed(await this.checkTool(task, tool, options), task, tool)
  }

  /** Resolves to the decision that allows the data scope; throws `POLICY_DENIED` otherwise. */
  async assertDataScopeAllowed(task: TaskRef, scope: string): Promise<PolicyDecision> {
    return allowed(await this.checkDataScope(task, scope), task, scope)
  }

  async #check(ref: TaskRef, check: Check): Promise<GateAnswer> {
    const decisionId = `pol_${(this.#options.ids ?? generateId)()}`
    const at = readMillis(this.#options.clock)
    // The policy may change while a verdict is recorded.
    return retryConflicts((write) =>
      write(this.#answer(ref, check, decisionId, at)).catch((error: unknown) => {
        this.#cache.forget(ref)
        throw error
      }),
    )
  }

  async #answer(ref: TaskRef, check: Check, decisionId: string, at: number): Promise<GateAnswer> {
    const { type, subject, evaluate } = check
    const { policy } = this.#options
    const facts = await this.#cache.facts(ref)
    if (!facts) return { verdict: deny('NOT_GRANTED', `there is no mission with a task ${quote(ref.task_id)}`) }
    const { packages, passes } = facts
    const { record: envelope } = facts.mission
    const task = facts.isCurrent ? facts.task?.record : undefined
    const decisions = await this.#cache.decisions(ref, facts, check)
    const verdict = task
      ? evaluate({ envelope, task, packages, passes, decisions, at, ...(policy && { config: policy }) }, subject)
      : deny('NOT_GRANTED', `the task graph of the mission has no task ${quote(ref.task_id)}`)
    const decision = newDecision({
      mission_id: envelope.mission_id,
      decision_id: decisionId,
      decision_type: type,
      subject,
      decision: verdict.allowed ? 'allow' : 'deny',
      reason: verdict.reason,
      ...(task && { task_id: task.task_id }),
      created_at: timestamp(at),
      producer: POLICY_GATE_PRODUCER,
    })
    return { verdict, decision: await this.#record(decision, facts) }
  }

  async #record(decision: PolicyDecision, { mission, task }: TaskFacts): Promise<PolicyDecision> {
    const { mission_id } = decision
    const plan = await this.#store.newLedger(mission.record, mission.revision, task && [task]).plan([decision])
    const batch = new WriteBatch()
    plan.addTo(batch, { checked: true })
    batch.check(missionsCollection, mission_id, { ifRevision: mission.revision })
    if (task) batch.check(tasksCollection, [mission_id, task.record.task_id], { ifRevision: task.revision })
    await this.#store.storage.write(batch)
    const { tenant_id, actor_id } = mission.record
    return inKeyOrder({ ...decision, tenant_id, actor_id })
  }
}

guardMethods(PolicyGate)

function allowed({ verdict, decision }: GateAnswer, { task_id }: TaskRef, subject: string): PolicyDecision {
  if (verdict.allowed && decision) return decision
  const cure = CURES[verdict.code]
  const message = `Task ${quote(task_id)} is denied ${quote(subject)}: ${verdict.reason}. ${cure}`
  throw contractsError('POLICY_DENIED', message, {
    details: { verdict: verdict.code, reason: verdict.reason, cure, decisionId: decision?.decision_id ?? null },
  })
}
