import type { MissionTask, MissionTaskGraph } from '@minions/colony-contracts'

/** How urgent a task is: 1 is the most urgent, 5 the default. A task may say so itself in a field `priority`. */
export type PriorityOf = (task: MissionTask) => number

const DEFAULT_PRIORITY = 5

interface Entry {
  readonly task: MissionTask
  readonly position: number
  readonly priority: number
}

/**
 * Says which task is next. A task becomes ready when the last of those it depends on is done; of those that are ready
 * the most urgent comes first, then the first in the graph. Tasks that wait for a failed one are blocked, others are not.
 */
export class TaskQueue {
  readonly #priorityOf: PriorityOf
  readonly #entries = new Map<string, Entry>()
  readonly #waiting = new Map<string, number>()
  readonly #dependents = new Map<string, string[]>()
  readonly #done = new Set<string>()
  readonly #failed = new Set<string>()
  readonly #blocked = new Set<string>()
  /** The most urgent last. */
  readonly #ready: Entry[] = []

  constructor(priorityOf: PriorityOf = ownPriority) {
    this.#priorityOf = priorityOf
  }

  /** Adds the tasks of a graph that are not known yet; those in `done` count as finished. */
  add({ tasks }: MissionTaskGraph, done: ReadonlySet<string> = new Set()): void {
    const added = tasks.filter(({ task_id }) => !this.#entries.has(task_id))
    for (const task of added) {
      this.#entries.set(task.task_id, { task, position: this.#entries.size, priority: this.#priorityOf(task) })
      if (done.has(task.task_id)) this.#done.add(task.task_id)
    }
    for (const { task_id, depends_on } of added) {
      if (this.#done.has(task_id)) continue
      const open = [...new Set(depends_on)].filter((id) => !this.#done.has(id))
      for (const id of open) {
        const dependents = this.#dependents.get(id)
        if (dependents) dependents.push(task_id)
        else this.#dependents.set(id, [task_id])
      }
      this.#waiting.set(task_id, open.length)
      if (open.length === 0) this.#enqueue(task_id)
    }
    for (const { depends_on, task_id } of added) {
      if (depends_on.some((id) => this.#blocked.has(id) || this.#failed.has(id))) this.#block(task_id)
    }
  }

  /** The next task to start, or `undefined` when none is ready. */
  next(): MissionTask | undefined {
    return this.#ready.pop()?.task
  }

  /** A task has finished; what waited for it alone becomes ready. */
  complete(taskId: string): void {
    this.#done.add(taskId)
    for (const dependent of this.#dependents.get(taskId) ?? []) {
      const left = (this.#waiting.get(dependent) ?? 0) - 1
      this.#waiting.set(dependent, left)
      if (left === 0 && !this.#blocked.has(dependent)) this.#enqueue(dependent)
    }
  }

  /** A task has failed for good; what depends on it, directly or not, is blocked. */
  fail(taskId: string): void {
    this.#failed.add(taskId)
    for (const dependent of this.#dependents.get(taskId) ?? []) this.#block(dependent)
  }

  #block(first: string): void {
    const open = [first]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (this.#blocked.has(id)) continue
      this.#blocked.add(id)
      open.push(...(this.#dependents.get(id) ?? []))
    }
  }

  #enqueue(taskId: string): void {
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

function isBefore(a: Entry, b: Entry): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.position < b.position)
}

function ownPriority(task: MissionTask): number {
  const { priority } = task as MissionTask & { readonly priority?: unknown }
  return typeof priority === 'number' && Number.isFinite(priority) ? priority : DEFAULT_PRIORITY
}
