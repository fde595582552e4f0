import type { MissionTask, MissionTaskGraph } from '@minions/colony-contracts'
import { getOrInsert } from '@minions/core/json'
import { callingBack, guardMethods } from '@minions/core/plugin'

/** The urgency of a task: 1 is the most urgent; 5 for anything that is not a number. */
export type PriorityOf = (task: MissionTask) => number

const DEFAULT_PRIORITY = 5

interface Entry {
  readonly task: MissionTask
  readonly position: number
  readonly priority: number
}

/**
 * Selects the next task. A task becomes ready when its last dependency is completed; of the ready tasks the most urgent
 * comes first, then the first in the graph. Dependents of a failed task never become ready.
 */
export class TaskQueue {
  readonly #priorityOf: PriorityOf
  readonly #entries = new Map<string, Entry>()
  readonly #waiting = new Map<string, Set<string>>()
  readonly #dependents = new Map<string, Set<string>>()
  readonly #done = new Set<string>()
  /** Sorted with the most urgent last. */
  readonly #ready: Entry[] = []

  constructor(priorityOf: PriorityOf = ownPriority) {
    this.#priorityOf = callingBack(priorityOf)
  }

  /** Adds the new tasks of a graph; those in `done` count as finished. A waiting task is updated from the graph. */
  add({ tasks }: MissionTaskGraph, done: ReadonlySet<string> = new Set()): void {
    const open = tasks.filter(({ task_id }) => !this.#entries.has(task_id) || this.#waiting.has(task_id))
    for (const task of open) {
      const position = this.#entries.get(task.task_id)?.position ?? this.#entries.size
      this.#entries.set(task.task_id, { task, position, priority: this.#priority(task) })
      if (done.has(task.task_id)) this.#done.add(task.task_id)
    }
    for (const { task_id, depends_on } of open) {
      for (const id of this.#waiting.get(task_id) ?? []) this.#dependents.get(id)?.delete(task_id)
      if (!this.#done.has(task_id)) this.#await(task_id, new Set(depends_on.filter((id) => !this.#done.has(id))))
    }
  }

  /** The next task to start, or `undefined` when none is ready. */
  next(): MissionTask | undefined {
    return this.#ready.pop()?.task
  }

  /** The urgency of a task of the graph; undefined for others. */
  priorityOf(taskId: string): number | undefined {
    return this.#entries.get(taskId)?.priority
  }

  /** Marks a task as finished; tasks that waited for it alone become ready. */
  complete(taskId: string): void {
    this.#done.add(taskId)
    for (const dependent of this.#dependents.get(taskId) ?? []) {
      const waiting = this.#waiting.get(dependent)
      waiting?.delete(taskId)
      if (waiting?.size === 0) this.#enqueue(dependent)
    }
    this.#dependents.delete(taskId)
  }

  #priority(task: MissionTask): number {
    const priority = this.#priorityOf(task)
    return Number.isFinite(priority) ? priority : DEFAULT_PRIORITY
  }

  #await(taskId: string, dependencies: Set<string>): void {
    this.#waiting.set(taskId, dependencies)
    for (const id of dependencies) {
      getOrInsert(this.#dependents, id, () => new Set()).add(taskId)
    }
    if (dependencies.size === 0) this.#enqueue(taskId)
  }

  #enqueue(taskId: string): void {
    this.#waiting.delete(taskId)
    const entry = this.#entries.get(taskId) as Entry
    let low = 0
    let high = this.#ready.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(entry, this.#ready[middle] as Entry)) low = middle + 1
      else high = middle
    }
    this.#ready.splice(low, 0, entry)
  }
}

guardMethods(TaskQueue, { checksInside: ['add'] })

function isBefore(a: Entry, b: Entry): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.position < b.position)
}

function ownPriority(task: MissionTask): number {
  return (task as MissionTask & { readonly priority: number }).priority
}
