import { Fifo } from '@minions/core/coordination'
import { getOrInsert } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import type { MaybePromise } from '../state/runtime-state.js'
import type { Limits } from './limits.js'

/** The capacity that is needed: for an agent, for an execution of a skill, or for both. */
export interface Need {
  readonly agent: boolean
  readonly skill: string
  /** Counts towards the length of the queue, and is refused when the queue is full. */
  readonly isNew?: boolean
}

/** What waits. Its signal, which ends the wait, is read only when there is no capacity. */
export interface Waiter {
  readonly signal: AbortSignal
}

interface Waiting extends Need {
  /** When it came, as a number that grows. */
  readonly ticket: number
  readonly grant: () => void
}

/** The needs that wait for one limited skill, or for no limited skill at all. All of one queue are the same need. */
interface Line {
  /** Their runs hold capacity already, which others may wait for, so they go first. */
  readonly inside: Fifo<Waiting>
  readonly outside: Fifo<Waiting>
}

/**
 * Hands out capacity within the limits, first come, first served. A request never waits behind one for another skill,
 * and waits only if there is no capacity, which is passed on as soon as it is released. So a new request for which
 * there is capacity overtakes none.
 */
export class Scheduler {
  readonly #agentLimit: number
  readonly #queueLimit: number
  readonly #rejects: boolean
  readonly #skillLimits: ReadonlyMap<string, number>
  readonly #inUse = new Map<string, number>()
  readonly #lines = new Map<string, Line>()
  #agents = 0
  #waiting = 0
  #queued = 0
  #tickets = 0

  constructor(limits: Limits = {}) {
    this.#agentLimit = limits.agents ?? Number.POSITIVE_INFINITY
    this.#queueLimit = limits.queue ?? Number.POSITIVE_INFINITY
    this.#rejects = limits.whenFull === 'reject'
    this.#skillLimits = new Map(Object.entries(limits.skills ?? {}))
  }

  get running(): number {
    return this.#agents
  }

  get queued(): number {
    return this.#queued
  }

  /**
   * Acquires capacity, at once if available. Throws `LIMIT_REACHED`, `QUEUE_FULL`, or the reason of the waiter's
   * signal.
   */
  acquire(need: Need, waiter?: Waiter): MaybePromise<void> {
    if (this.#fits(need)) {
      this.#take(need)
      return
    }
    if (need.isNew) this.#requireQueue()
    return this.#enqueue(need, waiter?.signal)
  }

  /** Releases capacity to the requests that have waited longest. */
  release(need: Pick<Need, 'agent' | 'skill'>): void {
    if (need.agent) this.#agents--
    if (this.#skillLimits.has(need.skill)) this.#inUse.set(need.skill, (this.#inUse.get(need.skill) ?? 0) - 1)
    while (this.#waiting > 0) {
      const next = this.#next()
      if (next === undefined) return
      this.#dequeued(next)
      this.#take(next)
      next.grant()
    }
  }

  #enqueue(need: Need, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const grant = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const waiting: Waiting = { ...need, ticket: this.#tickets++, grant }
      const line = this.#lineOf(need.skill)
      const queue = need.agent ? line.outside : line.inside
      const entry = queue.push(waiting)
      const abort = () => {
        queue.delete(entry)
        this.#dequeued(waiting)
        reject(signal?.reason)
      }
      this.#waiting++
      if (need.isNew) this.#queued++
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #dequeued({ isNew }: Waiting): void {
    this.#waiting--
    if (isNew) this.#queued--
  }

  /** Takes out the need that has waited longest of those for which there is capacity now. */
  #next(): Waiting | undefined {
    let best: Line['outside'] | undefined
    for (const { inside, outside } of this.#lines.values()) {
      if (inside.first !== undefined && this.#fits(inside.first)) return inside.shift()
      const { first } = outside
      if (first === undefined || !this.#fits(first)) continue
      if (best?.first === undefined || first.ticket < best.first.ticket) best = outside
    }
    return best?.shift()
  }

  #fits({ agent, skill }: Need): boolean {
    if (agent && this.#agents >= this.#agentLimit) return false
    const limit = this.#skillLimits.get(skill)
    return limit === undefined || (this.#inUse.get(skill) ?? 0) < limit
  }

  #take({ agent, skill }: Need): void {
    if (agent) this.#agents++
    if (this.#skillLimits.has(skill)) this.#inUse.set(skill, (this.#inUse.get(skill) ?? 0) + 1)
  }

  #requireQueue(): void {
    if (this.#rejects) {
      const message = `${this.#agents} subagents are running; wait for one of them to end, raise the limit, or let runs queue.`
      throw skillsError('LIMIT_REACHED', message, { details: { running: this.#agents } })
    }
    if (this.#queued < this.#queueLimit) return
    throw skillsError('QUEUE_FULL', `${this.#queued} runs are already waiting; try again later.`, {
      details: { queued: this.#queued },
    })
  }

  /** Skills without a limit share a queue. */
  #lineOf(skill: string): Line {
    const key = this.#skillLimits.has(skill) ? skill : ''
    return getOrInsert(this.#lines, key, () => ({ inside: new Fifo(), outside: new Fifo() }))
  }
}
