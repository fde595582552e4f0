import { PausableDeadline } from '@minions/core/coordination'
import type { AgentSession } from './agent-session.js'
import { type ExecutionFailure, timeoutFailure } from './failure.js'
import { executionIds } from './ids.js'
import type { Job } from './job.js'
import { LazyAbort } from './lazy-abort.js'
import { Stopped } from './stopped.js'

/** One attempt at an execution. It ends once: with what the code returns or throws, at its timeout, or when stopped. */
export class Attempt {
  readonly session: AgentSession
  readonly job: Job
  /** Created lazily: most skills are not composed. */
  #children: Set<Attempt> | undefined
  readonly #abort = new LazyAbort()
  #deadline: PausableDeadline | undefined
  /** The reasons for which the clock is stopped. */
  readonly #holders = new Set<unknown>()
  #reject: ((reason: unknown) => void) | undefined
  #ended: { readonly reason: Stopped | ExecutionFailure | undefined } | undefined

  constructor(session: AgentSession, job: Job) {
    this.session = session
    this.job = job
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** True if it is waiting with its clock stopped. */
  get isHeld(): boolean {
    return this.#holders.size > 0
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** Throws once the attempt has ended: from then on it can have no effect. */
  throwIfEnded(): void {
    if (this.#ended === undefined) return
    throw this.#ended.reason?.error ?? new Error('This attempt has ended; a skill can no longer use its context.')
  }

  /** Like `throwIfEnded`, for the engine itself. */
  requireLive(): void {
    if (this.#ended?.reason) throw new Stopped(this.#ended.reason.error)
  }

  run(work: () => unknown): unknown {
    this.session.attempts.add(this)
    this.job.parent?.adopt(this)
    let returned: unknown
    try {
      returned = work()
      if (!isThenable(returned)) {
        this.#end(undefined)
        return returned
      }
    } catch (error) {
      this.#end(undefined)
      throw error
    }
    return this.#await(returned)
  }

  /** Ends the attempt from outside. What it still returns is discarded. */
  stop(reason: Stopped | ExecutionFailure): void {
    if (this.#ended !== undefined) return
    this.#end(reason)
    this.stopChildren(new Stopped(reason.error))
    this.#abort.abort(reason.error)
    this.#reject?.(reason)
  }

  /** Attempts at the steps of a composed skill end with the attempt at the whole. */
  adopt(child: Attempt): void {
    this.#children ??= new Set()
    this.#children.add(child)
  }

  disown(child: Attempt): void {
    this.#children?.delete(child)
  }

  stopChildren(reason: Stopped): void {
    for (const child of this.#children ?? []) child.stop(reason)
  }

  /** Working time of the attempt in milliseconds. */
  get elapsedMs(): number {
    return this.#deadline?.elapsed ?? 0
  }

  /** Stops the clock of the timeout until every caller that stopped it has released it. */
  hold(holder: unknown = this): void {
    this.#holders.add(holder)
    this.#deadline?.stop()
  }

  unhold(holder: unknown = this): void {
    this.#holders.delete(holder)
    if (this.#ended === undefined && this.#holders.size === 0) this.#deadline?.start()
  }

  #await(returned: PromiseLike<unknown>): Promise<unknown> {
    const { session, job } = this
    const { timeout, timeoutMs = timeout * 1000 } = job.skill
    return new Promise((resolve, reject) => {
      this.#reject = reject
      this.#deadline = new PausableDeadline(session.runtime.timers, timeoutMs, () => {
        this.stop(timeoutFailure(job.skill.name, timeoutMs / 1000, session.retriesTimeouts(job.skill)))
      })
      if (!session.gate.closed && this.#holders.size === 0) this.#deadline.start()
      Promise.resolve(returned).then(
        (value) => (this.#end(undefined) ? resolve(value) : this.#discard()),
        (error: unknown) => this.#end(undefined) && reject(error),
      )
    })
  }

  /** True if this call ended it. */
  #end(reason: Stopped | ExecutionFailure | undefined): boolean {
    if (this.#ended !== undefined) return false
    this.#ended = { reason }
    this.#deadline?.stop()
    this.session.attempts.delete(this)
    this.job.parent?.disown(this)
    return true
  }

  #discard(): void {
    const { runtime, ids } = this.session
    const event = executionIds(ids, this.job.execution)
    runtime.log.warn('a late result was discarded', { ...event })
    runtime.events.emit('execution.late', event)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
