import { messageOf, timestamp } from '@minions/core'
import { cloneJson, type JsonObject, setOwn } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import type { AgentChange, AgentSnapshot } from '../state/runtime-state.js'
import { subagentError } from '../subagents/error-text.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { wholeMillis } from '../time/millis.js'
import { type AgentSession, pauseIfAsked } from './agent-session.js'
import { changeAgent, createAgent, transitionConflict } from './change-agent.js'
import { completeParameters } from './check-skill.js'
import { clearSkill } from './clear-skill.js'
import { cancelledExecution, failed, succeeded } from './end-execution.js'
import { executeSkill, retryOrThrow } from './execute-skill.js'
import { ExecutionFailure, failureOf } from './failure.js'
import type { Job } from './job.js'
import { type ChainResults, type RunStep, toRunRecord } from './run-plan.js'
import { Stopped } from './stopped.js'

/** Where a run that is taken over stands. */
export interface Progress {
  readonly position: number
  /** The execution under way and its checkpoint, if one was begun. */
  readonly execution: SkillExecution | undefined
  readonly state: Job['state']
}

/** Takes a subagent through the skills of its run, one after another, and records what becomes of each. */
export class AgentRun {
  readonly session: AgentSession
  readonly #steps: readonly RunStep[]
  /** Steps of composed skills may be unfinished when one ends, and are ended with it. */
  readonly #options: { readonly pending: boolean }
  #position = 0

  constructor(session: AgentSession, steps: readonly RunStep[]) {
    this.session = session
    this.#steps = steps
    this.#options = { pending: steps.some(({ skill }) => skill.steps !== undefined) }
  }

  /**
   * Takes an idle subagent, or one that is `created` by this, and stored `later` if so told: it runs from now on, and the
   * lease is ours. Throws `CONFLICT` when it is not idle.
   */
  async start(created?: Subagent, later = false): Promise<Job> {
    const { session } = this
    const { execution, job } = this.#prepare({})
    const begin = (agent: Subagent) => {
      const started = { ...agent, state: 'running' as const, started_at: execution.started_at ?? null }
      return { ...this.#begin(started, execution), lease: session.lease() }
    }
    if (created) await createAgent(session.runtime, created, begin(created), { later })
    else {
      await changeAgent(session.runtime, session.agentId, ({ agent }) => {
        if (agent.state !== 'idle') throw notIdle(agent)
        return begin(agent)
      })
    }
    return job
  }

  /** Runs to the end and resolves to the results of the whole run. The lease must be ours. */
  async finish(first: Job | Progress): Promise<ChainResults> {
    let job: Job | undefined
    try {
      job = 'skill' in first ? first : await this.#continue(first)
      for (;;) {
        const agent = await this.#execute(job)
        if (this.#position === this.#steps.length) return cloneJson(agent.results) as ChainResults
        await this.session.passGate()
        job = await this.#next(agent.results as ChainResults)
      }
    } catch (thrown) {
      throw await this.#end(thrown)
    } finally {
      this.session.capacity.releaseAll()
    }
  }

  async #continue({ position, execution, state }: Progress): Promise<Job> {
    this.#position = position
    if (execution === undefined) {
      const agent = await this.session.runtime.state.agent(this.session.agentId)
      return this.#next((agent?.results ?? {}) as ChainResults)
    }
    await this.session.follow(execution)
    const { skill } = this.#steps[position] as RunStep
    return { skill, execution, state, parent: undefined, idempotencyKey: this.#keyOf(execution) }
  }

  /** Executes one skill and commits its result; resolves to the subagent then. */
  async #execute(job: Job): Promise<Subagent> {
    const { session } = this
    const { name } = job.skill
    await clearSkill(session, job)
    for (;;) {
      const result = await session.withCapacity(name, () => executeSkill(session, job))
      try {
        return await this.#succeed(job, result)
      } catch (error) {
        // The results of a run together can be more than one record holds, and work that is committed along can refuse them.
        if (!skillsError.is(error, 'VALIDATION_FAILED')) throw error
        await retryOrThrow(session, job, error)
      }
    }
  }

  async #succeed(job: Job, result: JsonObject): Promise<Subagent> {
    const { session } = this
    const position = this.#position + 1
    const isLast = position === this.#steps.length
    const execution = succeeded(job.execution, result, session.runtime.clock)
    const { durable } = session.runtime.state
    const own = isLast ? session.settings.alsoCommit?.(result) : undefined
    const also = own ? [...(job.commitWork ?? []), own] : job.commitWork
    const work = also && { also }
    if (!durable) for (const each of also ?? []) (await each(undefined, 1))?.()
    const agent = await session.commit((snapshot) => {
      const results = { ...snapshot.agent.results }
      setOwn(results, job.skill.name, result)
      const agent = { ...snapshot.agent, results }
      if (isLast) return { ...this.#last(snapshot, { ...agent, state: 'completed' }, execution), ...work }
      return {
        ...work,
        agent,
        lease: session.lease(),
        ...this.#record(position, null),
        executions: [execution],
        forget: [execution.execution_id],
        ...pauseIfAsked(snapshot, agent),
      }
    }, this.#options)
    this.#position = position
    return agent
  }

  async #next(results: ChainResults): Promise<Job> {
    const { execution, job } = this.#prepare(results)
    await this.session.commit(({ agent }) => this.#begin(agent, execution))
    return job
  }

  /** A new execution of the step that is next. Throws an `ExecutionFailure` when its parameters cannot be made. */
  #prepare(results: ChainResults): { readonly execution: SkillExecution; readonly job: Job } {
    const { skill, parameters } = this.#steps[this.#position] as RunStep
    try {
      const complete =
        typeof parameters === 'function' ? completeParameters(skill, parameters(cloneJson(results))) : parameters
      const execution = this.session.newExecution(skill, complete)
      const idempotencyKey = this.#keyOf(execution)
      return { execution, job: { skill, execution, idempotencyKey, parent: undefined, state: undefined } }
    } catch (error) {
      throw failureOf(skill.name, error)
    }
  }

  /** The skills of a chain are different effects. */
  #keyOf({ execution_id }: SkillExecution): string {
    const { idempotencyKey } = this.session.settings
    if (idempotencyKey === undefined) return execution_id
    return this.#position === 0 ? idempotencyKey : `${idempotencyKey}/${this.#position}`
  }

  #begin(agent: Subagent, execution: SkillExecution): AgentChange {
    return {
      agent: { ...agent, assigned_skill: execution.skill_name, skill_params: execution.parameters },
      ...this.#record(this.#position, execution.execution_id),
      executions: [execution],
    }
  }

  /** How far the run has come, for another process to take it over; there is none when nothing outlives this one. */
  #record(position: number, executionId: string | null): AgentChange {
    const { runtime, agentId } = this.session
    return runtime.state.durable ? { run: toRunRecord(agentId, this.#steps, position, executionId) } : {}
  }

  /** What the caller is told. A failure is recorded; a run that was stopped, or cannot be recorded, stays resumable. */
  async #end(thrown: unknown): Promise<unknown> {
    let reason = thrown
    if (thrown instanceof ExecutionFailure) {
      try {
        await this.#fail(thrown)
        return thrown.error
      } catch (error) {
        reason = error
      }
    }
    const error = this.session.stopped?.error ?? (reason instanceof Stopped ? reason.error : reason)
    if (!skillsError.is(error, 'LEASE_LOST', 'CANCELLED')) await this.#release()
    return error
  }

  async #fail(failure: ExecutionFailure): Promise<void> {
    const { clock } = this.session.runtime
    const execution = failure.execution && failed(failure.execution, failure, clock)
    await this.session.commit((snapshot) => {
      const agent = { ...snapshot.agent, state: 'failed' as const, error: subagentError(failure.text) }
      return this.#last(snapshot, agent, execution)
    }, this.#options)
  }

  /** The change that ends a run: result, state and lease at once. */
  #last(snapshot: AgentSnapshot, agent: Subagent, execution: SkillExecution | undefined): AgentChange {
    const { clock } = this.session.runtime
    const unfinished = this.#options.pending
      ? snapshot.pending.filter(({ execution_id }) => execution_id !== execution?.execution_id)
      : []
    const executions = [...(execution ? [execution] : []), ...unfinished.map((each) => cancelledExecution(each, clock))]
    const started = Date.parse(execution?.completed_at ?? agent.started_at ?? '') || 0
    return {
      agent: { ...agent, completed_at: timestamp(Math.max(wholeMillis(clock), started)) },
      executions,
      forget: executions.map(({ execution_id }) => execution_id),
      lease: null,
      pause: null,
      run: null,
    }
  }

  /** Gives the lease back, so that a resume need not wait for it to expire. */
  async #release(): Promise<void> {
    const { runtime, agentId, token, logs } = this.session
    try {
      await changeAgent(runtime, agentId, ({ lease }) =>
        lease?.token === token ? logs.addTo({ lease: null }).change : undefined,
      )
    } catch (error) {
      runtime.log.warn('a lease could not be given back and has to expire', {
        agent_id: agentId,
        error: messageOf(error),
      })
    }
  }
}

export function notIdle(agent: Subagent) {
  return transitionConflict(agent, 'running', '; only an idle one can be given a skill')
}
