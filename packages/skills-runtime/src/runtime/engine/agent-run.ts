import { messageOf, timestamp } from '@minions/core'
import { cloneJson, type JsonObject, setOwn } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import type { CommitWork } from '../../skills/definition/skill-context.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import type { Need } from '../scheduler/scheduler.js'
import type { AgentChange, AgentSnapshot, MaybePromise } from '../state/runtime-state.js'
import { subagentError } from '../subagents/error-text.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { millisOf, wholeMillis } from '../time/instant.js'
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

export interface Progress {
  readonly position: number
  /** The current execution and its checkpoint, if one was started. */
  readonly execution: SkillExecution | undefined
  readonly state: Job['state']
}

/** Runs the skills of a subagent one after another, and records the outcome of each. */
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
   * Starts an idle subagent, or one that is `created` here, and stored `later` if requested; the lease is then ours.
   * Throws `CONFLICT` if it is not idle.
   */
  start(created?: Subagent, later = false): MaybePromise<Job> {
    const { session } = this
    const job = this.#prepare({})
    const { execution } = job
    const begin = (agent: Subagent): AgentChange => ({
      agent: {
        ...agent,
        state: 'running',
        started_at: execution.started_at ?? null,
        assigned_skill: execution.skill_name,
        skill_params: execution.parameters,
      },
      executions: [execution],
      lease: session.lease(),
      ...this.#record(0, execution.execution_id),
    })
    const stored = created
      ? createAgent(session.runtime, created, begin(created), { later })
      : changeAgent(session.runtime, session.agentId, ({ agent }) => {
          if (agent.state !== 'idle') throw notIdle(agent)
          return begin(agent)
        })
    return stored instanceof Promise ? stored.then(() => job) : job
  }

  /** Runs to the end, records it, and resolves to the results of the whole run. The lease must be ours. */
  async finish(first: Job | Progress, ended: () => void): Promise<ChainResults> {
    const { session } = this
    let need: Need | undefined
    try {
      // A skill never starts inside the call that requests it.
      let job = await ('skill' in first ? first : this.#continue(first))
      for (;;) {
        const cleared = clearSkill(session, job)
        if (cleared !== undefined) await cleared
        let agent: Subagent | undefined
        while (agent === undefined) {
          const claimed = session.takeCapacity(job.skill.name)
          need = claimed instanceof Promise ? await claimed : claimed
          const returned = executeSkill(session, job)
          const result = returned instanceof Promise ? await returned : returned
          session.capacity.release(need)
          const stored = this.#succeed(job, result)
          agent = stored instanceof Promise ? await stored : stored
        }
        if (this.#position === this.#steps.length) return cloneJson(agent.results) as ChainResults
        await session.passGate()
        job = await this.#next(agent.results as ChainResults)
      }
    } catch (thrown) {
      if (need !== undefined) session.capacity.release(need)
      throw await this.#end(thrown)
    } finally {
      session.capacity.releaseAll()
      ended()
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

  /** Commits a result, synchronously if possible; `undefined` if it was refused and the skill is to be tried again. */
  #succeed(job: Job, result: JsonObject): MaybePromise<Subagent | undefined> {
    try {
      const stored = this.#store(job, result)
      return stored instanceof Promise ? stored.catch((error: unknown) => this.#refused(job, error)) : stored
    } catch (error) {
      return this.#refused(job, error)
    }
  }

  /** The results of a run may together exceed the size of a record, and work that is committed with them may be refused. */
  async #refused(job: Job, error: unknown): Promise<undefined> {
    if (!skillsError.is(error, 'VALIDATION_FAILED')) throw error
    await retryOrThrow(this.session, job, error)
  }

  #store(job: Job, result: JsonObject): MaybePromise<Subagent> {
    const { session } = this
    const execution = succeeded(job.execution, result, session.runtime.clock)
    const isLast = this.#position + 1 === this.#steps.length
    const own = isLast ? session.settings.alsoCommit?.(result) : undefined
    const also = own ? [...(job.commitWork ?? []), own] : job.commitWork
    if (also === undefined || session.runtime.state.durable) return this.#commit(execution, result, also)
    return doWork(also).then(() => this.#commit(execution, result, also))
  }

  #commit(
    execution: SkillExecution,
    result: JsonObject,
    also: readonly CommitWork[] | undefined,
  ): MaybePromise<Subagent> {
    const { session } = this
    const position = this.#position + 1
    const isLast = position === this.#steps.length
    const work = also && { also }
    const committed = session.commit((snapshot) => {
      const results = { ...snapshot.agent.results }
      setOwn(results, execution.skill_name, result)
      if (isLast) {
        const last = this.#last(snapshot, { state: 'completed', results, error: null }, execution)
        return work === undefined ? last : { ...last, ...work }
      }
      const agent = { ...snapshot.agent, results }
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
    const advance = (agent: Subagent) => {
      this.#position = position
      return agent
    }
    return committed instanceof Promise ? committed.then(advance) : advance(committed)
  }

  async #next(results: ChainResults): Promise<Job> {
    const job = this.#prepare(results)
    await this.session.commit(({ agent }) => this.#begin(agent, job.execution))
    return job
  }

  /** A new execution of the next step. Throws an `ExecutionFailure` if its parameters cannot be created. */
  #prepare(results: ChainResults): Job {
    const { skill, parameters } = this.#steps[this.#position] as RunStep
    try {
      const complete =
        typeof parameters === 'function' ? completeParameters(skill, parameters(cloneJson(results))) : parameters
      const execution = this.session.newExecution(skill, complete)
      return { skill, execution, idempotencyKey: this.#keyOf(execution), parent: undefined, state: undefined }
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
      executions: [execution],
      ...this.#record(this.#position, execution.execution_id),
    }
  }

  /** Progress of the run, for another process to take over; absent if records do not outlive this process. */
  #record(position: number, executionId: string | null): AgentChange {
    const { runtime, agentId } = this.session
    return runtime.state.durable ? { run: toRunRecord(agentId, this.#steps, position, executionId) } : {}
  }

  /**
   * The error for the caller. A failure is recorded; a run that was stopped, or cannot be recorded, stays resumable.
   */
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
      const { results } = snapshot.agent
      return this.#last(snapshot, { state: 'failed', results, error: subagentError(failure.text) }, execution)
    }, this.#options)
  }

  #last(
    snapshot: AgentSnapshot,
    { state, results, error }: { state: Subagent['state']; results: Subagent['results']; error: string | null },
    execution: SkillExecution | undefined,
  ): AgentChange {
    const { agent } = snapshot
    const { clock } = this.session.runtime
    const executions = execution ? [execution] : []
    if (this.#options.pending) {
      const unfinished = snapshot.pending.filter(({ execution_id }) => execution_id !== execution?.execution_id)
      executions.push(...unfinished.map((each) => cancelledExecution(each, clock)))
    }
    const started = millisOf(execution?.completed_at ?? agent.started_at)
    return {
      agent: { ...agent, state, results, error, completed_at: timestamp(Math.max(wholeMillis(clock), started)) },
      executions,
      forget: executions.map(({ execution_id }) => execution_id),
      lease: null,
      pause: null,
      run: null,
    }
  }

  /** Releases the lease, so that a resume need not wait for it to expire. */
  async #release(): Promise<void> {
    const { runtime, agentId, token, logs } = this.session
    try {
      await changeAgent(runtime, agentId, ({ lease }) =>
        lease?.token === token ? logs.addTo({ lease: null }).change : undefined,
      )
    } catch (error) {
      const problem = { agent_id: agentId, error: messageOf(error) }
      runtime.log.warn('a lease could not be released and has to expire', problem)
    }
  }
}

/** Runs the work of a commit if there is no batch to join. */
async function doWork(also: readonly CommitWork[]): Promise<void> {
  for (const each of also) (await each(undefined, 1))?.()
}

export function notIdle(agent: Subagent) {
  return transitionConflict(agent, 'running', '; only an idle one can be given a skill')
}
