import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import type { MaybePromise } from '../state/runtime-state.js'
import type { AgentSession } from './agent-session.js'
import { type ExecutionFailure, timeoutFailure } from './failure.js'
import { executionIds } from './ids.js'
import type { Job } from './job.js'
import { LazyAbort } from './lazy-abort.js'
import { PausableDeadline } from './pausable-deadline.js'
import { Stopped } from './stopped.js'

/** One attempt at an execution. It ends once: with what the code returns or throws, at its timeout, or when stopped. */
export class Attempt {
  readonly session: AgentSession
  readonly job: Job
  // Created lazily: most skills are not composed, read no signal and are never held.
  #children: Set<Attempt> | undefined
  #abort: LazyAbort | undefined
  /** The reasons for which the clock is stopped. */
  #holders: Set<unknown> | undefined
  #deadline: PausableDeadline | undefined
  #reject: ((reason: unknown) => void) | undefined
  #hasEnded = false
  #reason: Stopped | ExecutionFailure | undefined

  constructor(session: AgentSession, job: Job) {
    this.session = session
    this.job = job
  }

  get signal(): AbortSignal {
    this.#abort ??= new LazyAbort()
    return this.#abort.signal
  }

  get isHeld(): boolean {
    return this.#holders !== undefined && this.#holders.size > 0
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Attempts at the steps of a composed skill, and this one. */
  *all(): Generator<Attempt> {
    yield this
    for (const child of this.#children ?? []) yield* child.all()
  }

  /** Throws once the attempt has ended: from then on it can have no effect. */
  throwIfEnded(): void {
    if (!this.#hasEnded) return
    throw this.#reason?.error ?? new Error('This attempt has ended; a skill can no longer use its context.')
  }

  /** Like `throwIfEnded`, for the engine itself. */
  requireLive(): void {
    if (this.#reason !== undefined) throw new Stopped(this.#reason.error)
  }

  /** Runs the code and checks what it returns; synchronously if the code is synchronous. */
  run<T>(work: () => unknown, check: (returned: unknown) => T): MaybePromise<T> {
    if (this.job.parent === undefined) this.session.attempt = this
    else this.job.parent.adopt(this)
    let returned: unknown
    try {
      returned = work()
      if (isThenable(returned)) return this.#await(returned, check)
    } catch (error) {
      this.#end(undefined)
      throw error
    }
    this.#end(undefined)
    return check(returned)
  }

  /** Ends the attempt from outside. What it still returns is discarded. */
  stop(reason: Stopped | ExecutionFailure): void {
    if (!this.#end(reason)) return
    this.stopChildren(new Stopped(reason.error))
    this.#abort ??= new LazyAbort()
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

  get elapsedMs(): number {
    return this.#deadline?.elapsed ?? 0
  }

  /** Stops the clock of the timeout until every caller that stopped it has released it. */
  hold(holder: unknown = this): void {
    this.#holders ??= new Set()
    this.#holders.add(holder)
    this.#deadline?.stop()
  }

  unhold(holder: unknown = this): void {
    this.#holders?.delete(holder)
    if (!this.#hasEnded && !this.isHeld) this.#deadline?.start()
  }

  #await<T>(returned: PromiseLike<unknown>, check: (returned: unknown) => T): Promise<T> {
    const { runtime, gate } = this.session
    this.#deadline = new PausableDeadline(runtime.timers, timeoutOf(this.job.skill), () => this.#timeOut())
    if (!gate.closed && !this.isHeld) this.#deadline.start()
    return new Promise((resolve, reject) => {
      this.#reject = reject
      Promise.resolve(returned).then(
        (value) => {
          if (!this.#end(undefined)) return this.#discard()
          try {
            resolve(check(value))
          } catch (error) {
            reject(error)
          }
        },
        (error: unknown) => {
          if (this.#end(undefined)) reject(error)
        },
      )
    })
  }

  #timeOut(): void {
    const { skill } = this.job
    const isRetried = skill.retryTimeouts ?? this.session.runtime.retryTimeouts
    this.stop(timeoutFailure(skill.name, timeoutOf(skill) / 1000, isRetried))
  }

  /** True if this call ended it. */
  #end(reason: Stopped | ExecutionFailure | undefined): boolean {
    if (this.#hasEnded) return false
    this.#hasEnded = true
    this.#reason = reason
    this.#deadline?.stop()
    if (this.job.parent !== undefined) this.job.parent.disown(this)
    else if (this.session.attempt === this) this.session.attempt = undefined
    return true
  }

  #discard(): void {
    const { runtime, ids } = this.session
    const event = executionIds(ids, this.job.execution)
    runtime.log.warn('a late result was discarded', { ...event })
    runtime.events.emit('execution.late', event)
  }
}

function timeoutOf({ timeout, timeoutMs = timeout * 1000 }: RegisteredSkill): number {
  return timeoutMs
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
