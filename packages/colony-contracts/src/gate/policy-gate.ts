import { type Clock, generateId, type IdSource, readMillis, type StoreTransaction, timestamp } from '@minions/core'
import { contractsError } from '../errors.js'
import { evaluateDataScope } from '../policy/evaluate-data-scope.js'
import { evaluateTool } from '../policy/evaluate-tool.js'
import { POLICY_GATE_PRODUCER } from '../policy/latest-decision.js'
import type { PolicyConfig } from '../policy/policy-config.js'
import type { TaskPolicy } from '../policy/task-policy.js'
import { deny, type Verdict } from '../policy/verdict.js'
import { DECISION_TYPES, type PolicyDecision } from '../schemas/policy-decision.js'
import type { ColonyStore } from '../store/colony-store.js'
import { quote } from '../validation/problem.js'
import { loadTaskPolicy } from './load-task-policy.js'
import type { TaskRef } from './task-ref.js'

export interface PolicyGateOptions {
  readonly policy?: PolicyConfig
  /** Where the time comes from, by which passes expire. */
  readonly clock?: Clock
  readonly ids?: IdSource
}

/** An answer of the gate, and the decision that records it. */
export interface GateAnswer {
  readonly verdict: Verdict
  /** Missing when the mission is not known, so that there is nowhere to record it. */
  readonly decision?: PolicyDecision
}

interface Question {
  readonly type: (typeof DECISION_TYPES)['tool' | 'data']
  readonly subject: string
  readonly evaluate: (policy: TaskPolicy, subject: string) => Verdict
}

/**
 * Answers what a task may do, from the artifacts of its mission as they are stored, and records every answer as a policy
 * decision. What nothing grants is denied.
 */
export class PolicyGate {
  readonly #store: ColonyStore
  readonly #options: PolicyGateOptions

  constructor(store: ColonyStore, options: PolicyGateOptions = {}) {
    this.#store = store
    this.#options = options
  }

  /** The same gate as part of a transaction. What it records is rolled back with it, denials included. */
  with(tx: StoreTransaction): PolicyGate {
    return new PolicyGate(this.#store.with(tx), this.#options)
  }

  /** Whether a task may use a tool now. */
  checkTool(task: TaskRef, tool: string): Promise<GateAnswer> {
    return this.#ask(task, { type: DECISION_TYPES.tool, subject: tool, evaluate: evaluateTool })
  }

  /** Whether a task may read a data scope, or resource family, now. */
  checkDataScope(task: TaskRef, scope: string): Promise<GateAnswer> {
    return this.#ask(task, { type: DECISION_TYPES.data, subject: scope, evaluate: evaluateDataScope })
  }

  /** Resolves to the decision that allows the tool; throws `POLICY_DENIED` otherwise. */
  async assertToolAllowed(task: TaskRef, tool: string): Promise<PolicyDecision> {
    return allowed(await this.checkTool(task, tool), task, tool)
  }

  /** Resolves to the decision that allows the data scope; throws `POLICY_DENIED` otherwise. */
  async assertDataScopeAllowed(task: TaskRef, scope: string): Promise<PolicyDecision> {
    return allowed(await this.checkDataScope(task, scope), task, scope)
  }

  async #ask(ref: TaskRef, { type, subject, evaluate }: Question): Promise<GateAnswer> {
    const { policy, clock, ids = generateId } = this.#options
    const decisionId = `pol_${ids()}`
    const at = readMillis(clock)
    return this.#store.transaction(async (store) => {
      const found = await loadTaskPolicy(store, ref, { type, subject })
      if (!found) return { verdict: deny('NOT_GRANTED', `there is no mission with a task ${quote(ref.task_id)}`) }
      const { envelope, task } = found
      const verdict = task
        ? evaluate({ ...found, task, at, ...(policy && { config: policy }) }, subject)
        : deny('NOT_GRANTED', `the task graph of the mission has no task ${quote(ref.task_id)}`)
      const { artifact } = await store.put({
        schema_name: 'policy_decision',
        schema_version: 'v1',
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
      return { verdict, decision: artifact as unknown as PolicyDecision }
    })
  }
}

function allowed({ verdict, decision }: GateAnswer, { task_id }: TaskRef, subject: string): PolicyDecision {
  if (verdict.allowed && decision) return decision
  throw contractsError('POLICY_DENIED', `Task ${quote(task_id)} is denied ${quote(subject)}: ${verdict.reason}.`, {
    details: { verdict: verdict.code, reason: verdict.reason, decisionId: decision?.decision_id ?? null },
  })
}
