import { type MinionsError, messageOf, timestamp } from '@minions/core'
import { leaseOf, sleep } from '@minions/core/coordination'
import type { JsonObject, JsonValue } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import { HeldCapacity } from '../scheduler/held-capacity.js'
import type { Need } from '../scheduler/scheduler.js'
import type { Lease } from '../state/records.js'
import type { AgentChange, AgentSnapshot, MaybePromise } from '../state/runtime-state.js'
import { type Origin, originOf, parentOf } from '../subagents/origin.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { millisOf, wholeMillis } from '../time/instant.js'
import type { Attempt } from './attempt.js'
import { changeAgent } from './change-agent.js'
import type { AgentIds } from './events.js'
import { agentIds, executionIds } from './ids.js'
import type { Job } from './job.js'
import { LazyAbort } from './lazy-abort.js'
import { PauseGate } from './pause-gate.js'
import type { RunSettings } from './run-settings.js'
import type { Runtime } from './runtime.js'
import { type ChangeWithLogs, SessionLogs } from './session-logs.js'
import { interrupted, leaseLost } from './stop-errors.js'
import { Stopped } from './stopped.js'

/**
 * A subagent that this process runs. It holds the lease: all writes for the subagent go through here and are refused
 * once the lease has another token.
 */
export class AgentSession {
  readonly runtime: Runtime
  readonly agentId: string
  readonly token: string
  readonly gate = new PauseGate()
  readonly capacity: HeldCapacity
  readonly settings: RunSettings
  attempt: Attempt | undefined
  readonly #metadata: Subagent['metadata']
  readonly #abort = new LazyAbort()
  // Created lazily: most skills log nothing, and most events have no listeners.
  #logs: SessionLogs | undefined
  #ids: AgentIds | undefined
  #stopped: Stopped | undefined
  #draining = false
  #waiting = 0
  #goOn: (() => Promise<void>) | undefined
  #lastStart = 0

  constructor(runtime: Runtime, agent: Subagent, settings: RunSettings = {}) {
    this.runtime = runtime
    this.settings = settings
    this.agentId = agent.agent_id
    this.#metadata = agent.metadata
    this.token = runtime.nextToken()
    this.capacity = new HeldCapacity(runtime.scheduler)
  }

  get ids(): AgentIds {
    this.#ids ??= agentIds({ agent_id: this.agentId, metadata: this.#metadata })
    return this.#ids
  }

  /** The attempt at the current skill, and those at its steps. */
  get attempts(): readonly Attempt[] {
    return this.attempt === undefined ? [] : [...this.attempt.all()]
  }

  get origin(): Origin {
    return originOf(this.#metadata)
  }

  get parentId(): string | undefined {
    return parentOf(this.#metadata)
  }

  get logs(): SessionLogs {
    this.#logs ??= new SessionLogs()
    return this.#logs
  }

  get stopped(): Stopped | undefined {
    return this.#stopped
  }

  /** Aborted when the session is stopped. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  throwIfStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped
  }

  /** Ends everything that runs. Nothing more is committed. */
  stop(error: MinionsError): void {
    if (this.#stopped !== undefined) return
    this.#stopped = new Stopped(error)
    this.attempt?.stop(this.#stopped)
    this.gate.fail(error)
    this.#abort.abort(error)
  }

  /** Ends the run at its next checkpoint; at once if it is paused at one. */
  drain(): void {
    this.#draining = true
    if (this.gate.closed || this.#waiting > 0) this.stop(interrupted(this.agentId))
  }

  /** Another process has taken the lease. */
  lose(): MinionsError {
    if (this.#stopped !== undefined) return this.#stopped.error
    const error = leaseLost(this.agentId)
    this.runtime.log.warn('the lease was lost', { ...this.ids })
    this.runtime.events.emit('lease.lost', this.ids)
    this.stop(error)
    return error
  }

  lease(): Lease {
    const { token, expires_at } = leaseOf(this.token, this.runtime)
    return { agent_id: this.agentId, token, expires_at }
  }

  /** Changes the subagent, as long as the lease is ours, and stores what was logged. */
  commit(
    decide: (snapshot: AgentSnapshot) => AgentChange | undefined,
    options?: { readonly pending?: boolean },
  ): MaybePromise<Subagent> {
    this.throwIfStopped()
    let withLogs: ChangeWithLogs | undefined
    const owned = (snapshot: AgentSnapshot) => {
      if (snapshot.lease?.token !== this.token) throw leaseLost(this.agentId)
      const change = decide(snapshot)
      withLogs = this.#logs?.addTo(change)
      return withLogs === undefined ? change : withLogs.change
    }
    const committed = (agent: Subagent) => {
      withLogs?.stored()
      return this.#committed(agent)
    }
    try {
      const changed = changeAgent(this.runtime, this.agentId, owned, options)
      if (!(changed instanceof Promise)) return committed(changed)
      return changed.then(committed, (error: unknown) => this.#refused(error))
    } catch (error) {
      return this.#refused(error)
    }
  }

  /** A new record of an execution. Starts are strictly increasing within a run, so that its history has an order. */
  newExecution(skill: RegisteredSkill, parameters: JsonObject): SkillExecution {
    this.#lastStart = Math.max(wholeMillis(this.runtime.clock), this.#lastStart + 1)
    return {
      execution_id: this.runtime.nextId(),
      agent_id: this.agentId,
      skill_name: skill.name,
      skill_version: skill.version,
      parameters,
      result: null,
      error: null,
      status: 'pending',
      started_at: timestamp(this.#lastStart),
      completed_at: null,
      duration_ms: null,
      retry_count: 0,
    }
  }

  /** Continues an execution that an earlier process began: later starts come after it, and its log grows. */
  async follow(execution: SkillExecution): Promise<void> {
    this.#lastStart = Math.max(this.#lastStart, millisOf(execution.started_at))
    if (this.logs.has(execution.execution_id)) return
    const log = await this.runtime.state.log(execution.execution_id)
    if (log !== undefined) this.logs.restore(log)
  }

  /** Stores what was logged, without waiting for the next change. */
  async flushLogs(): Promise<void> {
    if (this.logs.isStored || this.#stopped !== undefined) return
    try {
      await this.commit(() => undefined)
    } catch (error) {
      this.runtime.log.warn('log lines could not be stored yet', { ...this.ids, error: messageOf(error) })
    }
  }

  /** Stores a checkpoint; its state must not be shared. A requested pause takes effect here, and the call returns when it is over. */
  async checkpoint(job: Job, state: JsonValue): Promise<void> {
    const checkpoint = { execution_id: job.execution.execution_id, agent_id: this.agentId, state }
    await this.commit((snapshot) => ({ checkpoints: [checkpoint], ...pauseIfAsked(snapshot) }))
    job.state = checkpoint.state
    this.runtime.events.emit('execution.checkpoint', executionIds(this.ids, job.execution))
    await this.passGate()
  }

  /** Waits while the subagent is paused. At shutdown the run ends here. */
  async passGate(): Promise<void> {
    if (this.#draining) this.stop(interrupted(this.agentId))
    this.throwIfStopped()
    if (!this.gate.closed) return
    await this.gate.pass()
    this.throwIfStopped()
  }

  /** Continues after a pause, as soon as there is capacity again. */
  async unpause(): Promise<void> {
    if (!this.gate.closed) return
    try {
      await this.capacity.restore(this)
      await this.#goOn?.()
      this.#goOn = undefined
    } catch {
      return
    }
    for (const attempt of this.attempts) attempt.unhold(this)
    this.gate.open()
  }

  /** Acquires the capacity for a skill, waiting for it if necessary. It must be released. */
  takeCapacity(skill: string): MaybePromise<Need> {
    return this.capacity.claim(skill) ?? this.capacity.acquire({ agent: false, skill }, this)
  }

  /** Waits for a decision, unless the session is stopped; at shutdown the run ends here. */
  async waitFor<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#draining) this.stop(interrupted(this.agentId))
    this.throwIfStopped()
    this.#waiting += 1
    try {
      return await work(this.signal)
    } finally {
      this.#waiting -= 1
      this.throwIfStopped()
    }
  }

  /**
   * Frees its capacity in the meantime, unless another part of the run is active. The returned function must be called,
   * and awaited, before the run continues.
   */
  rest(): (() => Promise<void>) | undefined {
    return this.attempts.every(({ isHeld }) => isHeld) ? this.settings.rest?.() : undefined
  }

  sleep(milliseconds: number): Promise<void> {
    return sleep(milliseconds, this.runtime.timers, this.signal)
  }

  #committed(agent: Subagent): Subagent {
    if (agent.state === 'paused' && !this.gate.closed && this.#stopped === undefined) {
      this.gate.close()
      this.capacity.suspend()
      this.#goOn ??= this.settings.rest?.()
      for (const attempt of this.attempts) attempt.hold(this)
    }
    return agent
  }

  #refused(error: unknown): never {
    if (skillsError.is(error, 'LEASE_LOST')) throw this.lose()
    throw error
  }
}

/** The part of a change that makes a requested pause effective. */
export function pauseIfAsked({ pause, agent }: AgentSnapshot, changed: Subagent = agent): AgentChange {
  if (pause === undefined || agent.state !== 'running') return {}
  return { agent: { ...changed, state: 'paused' }, pause: null }
}
