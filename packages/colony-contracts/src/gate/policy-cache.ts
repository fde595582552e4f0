import type { StoreReader } from '@minions/core/storage'
import type { TaskPolicy } from '../policy/task-policy.js'
import { type DecisionSubject, loadDecisions, loadTaskFacts, type TaskFacts } from './load-task-policy.js'
import type { TaskRef } from './task-ref.js'

interface CachedFacts {
  readonly facts: TaskFacts
  readonly decisions: Map<string, TaskPolicy['decisions']>
}

/** Maximum number of tasks whose policy is cached; beyond that, the one read first is dropped. */
const MAX_TASKS = 1000

/** The policy of tasks as last read. The caller calls `forget` when its revisions no longer match the store. */
export class PolicyCache {
  readonly #storage: StoreReader
  readonly #tasks = new Map<string, CachedFacts>()

  constructor(storage: StoreReader) {
    this.#storage = storage
  }

  async facts(ref: TaskRef): Promise<TaskFacts | undefined> {
    const key = keyOf(ref)
    const cached = this.#tasks.get(key)?.facts
    if (cached) return isOwnTenant(cached, ref) ? cached : undefined
    const facts = await loadTaskFacts(this.#storage, ref)
    // A task without a mission is looked up each time, since another mission may now have one with the same id.
    if (ref.mission_id === undefined || facts?.task === undefined) return facts
    const [oldest] = this.#tasks.keys()
    if (this.#tasks.size >= MAX_TASKS && oldest !== undefined) this.#tasks.delete(oldest)
    this.#tasks.set(key, { facts, decisions: new Map() })
    return facts
  }

  async decisions(ref: TaskRef, facts: TaskFacts, about: DecisionSubject): Promise<TaskPolicy['decisions']> {
    const cached = this.#tasks.get(keyOf(ref))
    const subject = `${about.type} ${about.subject}`
    const known = cached?.facts === facts ? cached.decisions.get(subject) : undefined
    if (known) return known
    const decisions = await loadDecisions(this.#storage, facts.mission.record.mission_id, about)
    if (cached?.facts === facts) cached.decisions.set(subject, decisions)
    return decisions
  }

  forget(ref: TaskRef): void {
    this.#tasks.delete(keyOf(ref))
  }
}

function keyOf({ mission_id, task_id }: TaskRef): string {
  return `${mission_id} ${task_id}`
}

function isOwnTenant({ mission }: TaskFacts, { tenant_id }: TaskRef): boolean {
  return tenant_id === undefined || tenant_id === mission.record.tenant_id
}
