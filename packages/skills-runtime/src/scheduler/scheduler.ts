import { skillsError } from '../errors.js'
import type { MaybePromise } from '../state/runtime-state.js'
import { Fifo } from './fifo.js'
import type { Limits } from './limits.js'

/** What somebody needs: room for an agent, for an execution of a skill, or both. */
export interface Need {
  readonly agent: boolean
  readonly skill: string
  /** Counts towards the length of the queue and is refused when there is no room for it. */
  readonly isNew?: boolean
}

interface Waiting extends Need {
  /** When it came, as a number that grows. */
  readonly ticket: number
  readonly grant: () => void
  gone: boolean
}

/** Those who wait for one limited skill, or for no limited skill at all. */
interface Line {
  /** They hold room already and go first: whoever waits for room of theirs would wait for ever. */
  readonly inside: Fifo<Waiting>
  readonly outside: Fifo<Waiting>
}

/**
 * Hands out room within the limits, first come first served. Nobody waits behind somebody who waits for another skill.
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

  /** Subagents that have room. */
  get running(): number {
    return this.#agents
  }

  /** Runs that wait for room. */
  get queued(): number {
    return this.#queued
  }

  /** Takes room, at once if there is some. Aborting gives up waiting. Throws `LIMIT_REACHED` or `QUEUE_FULL`. */
  acquire(need: Need, onWait?: (giveUp: (error: Error) => void) => void): MaybePromise<void> {
    if (!this.#isAhead(need) && this.#fits(need)) {
      this.#take(need)
      return
    }
    if (need.isNew) this.#requireQueue()
    return this.#enqueue(need, onWait)
  }

  /** Gives room back and lets in who waited for it. */
  release(need: Pick<Need, 'agent' | 'skill'>): void {
    if (need.agent) this.#agents--
    if (this.#skillLimits.has(need.skill)) this.#inUse.set(need.skill, (this.#inUse.get(need.skill) ?? 0) - 1)
    while (this.#waiting > 0) {
      const next = this.#next()
      if (next === undefined) return
      this.#leave(next)
      this.#take(next)
      next.grant()
    }
  }

  #enqueue(need: Need, onWait?: (giveUp: (error: Error) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { ...need, ticket: this.#tickets++, grant: resolve, gone: false }
      const line = this.#lineOf(need.skill)
      const queue = need.agent ? line.outside : line.inside
      queue.push(waiting)
      this.#waiting++
      if (need.isNew) this.#queued++
      onWait?.((error) => {
        if (waiting.gone) return
        this.#leave(waiting)
        reject(error)
      })
    })
  }

  #leave(waiting: Waiting): void {
    waiting.gone = true
    this.#waiting--
    if (waiting.isNew) this.#queued--
  }

  /** Whoever has waited longest of those for whom there is room now. */
  #next(): Waiting | undefined {
    let best: Waiting | undefined
    for (const { inside, outside } of this.#lines.values()) {
      const first = head(inside)
      if (first !== undefined && this.#fits(first)) return take(inside)
      const other = head(outside)
      if (other !== undefined && this.#fits(other) && (best === undefined || other.ticket < best.ticket)) best = other
    }
    return best && take(this.#lineOf(best.skill).outside)
  }

  /** Whether somebody waits who came before: then even one who fits has to queue behind. */
  #isAhead(need: Need): boolean {
    if (this.#waiting === 0) return false
    const line = this.#lines.get(this.#keyOf(need.skill))
    return line !== undefined && (head(line.inside) !== undefined || (need.agent && head(line.outside) !== undefined))
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
      throw skillsError(
        'LIMIT_REACHED',
        `${this.#agents} subagents are running; wait for one of them to end, raise the limit, or let runs queue.`,
        { details: { running: this.#agents } },
      )
    }
    if (this.#queued < this.#queueLimit) return
    throw skillsError('QUEUE_FULL', `${this.#queued} runs are waiting already; try again later.`, {
      details: { queued: this.#queued },
    })
  }

  /** Skills without a limit share a line. */
  #keyOf(skill: string): string {
    return this.#skillLimits.has(skill) ? skill : ''
  }

  #lineOf(skill: string): Line {
    const key = this.#keyOf(skill)
    let line = this.#lines.get(key)
    if (line === undefined) {
      line = { inside: new Fifo(), outside: new Fifo() }
      this.#lines.set(key, line)
    }
    return line
  }
}

/** The first who still waits. */
function head(queue: Fifo<Waiting>): Waiting | undefined {
  while (queue.peek()?.gone) queue.shift()
  return queue.peek()
}

function take(queue: Fifo<Waiting>): Waiting | undefined {
  head(queue)
  return queue.shift()
}
