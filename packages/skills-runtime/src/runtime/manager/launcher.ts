import { type MinionsError, messageOf } from '@minions/core'
import { withDeadline } from '@minions/core/coordination'
import { skillsError } from '../../errors.js'
import { AgentRun, type Progress } from '../engine/agent-run.js'
import { AgentSession } from '../engine/agent-session.js'
import { transitionConflict } from '../engine/change-agent.js'
import { requireRunnable } from '../engine/execute-skill.js'
import type { Job } from '../engine/job.js'
import type { ChainResults, RunStep } from '../engine/run-plan.js'
import type { RunSettings } from '../engine/run-settings.js'
import type { Runtime } from '../engine/runtime.js'
import { interrupted } from '../engine/stop-errors.js'
import type { Turn } from '../scheduler/turn.js'
import type { Lease } from '../state/records.js'
import type { MaybePromise } from '../state/runtime-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { LeaseKeeper } from './lease-keeper.js'
import { LiveRun } from './live-run.js'
import { takeLease } from './take-over.js'

/** A subagent that is created when it starts, and stored after some milliseconds, if given. */
interface Created {
  readonly storeAfter?: number | undefined
}

/** Starts runs: one at a time per subagent, within the limits; all are ended at shutdown. */
export class Launcher {
  readonly #runtime: Runtime
  readonly #keeper: LeaseKeeper
  readonly #live = new Map<string, LiveRun>()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#keeper = new LeaseKeeper(runtime)
  }

  session(agentId: string): AgentSession | undefined {
    const session = this.#live.get(agentId)?.session
    return session?.stopped === undefined ? session : undefined
  }

  /** Stores what an execution has logged so far, if this process runs it. */
  async flushLog(executionId: string): Promise<void> {
    for (const { session } of this.#live.values()) if (session?.logs.has(executionId)) await session.flushLogs()
  }

  /** Resolves when this process has finished all work for a subagent. */
  async whenIdle(agentId: string): Promise<void> {
    await this.#live.get(agentId)?.ended()
  }

  /** Stops this process's work for a subagent, and resolves when it has stopped. */
  async stop(agentId: string, error: MinionsError): Promise<void> {
    const live = this.#live.get(agentId)
    live?.stop(error)
    await live?.ended()
  }

  /** Reserves a subagent for work in this process until `close`. Throws `CONFLICT` if it is already reserved. */
  open(agent: Subagent, { maxRetries, idempotencyKey, alsoCommit, rest }: RunSettings): LiveRun {
    const { agent_id } = agent
    if (this.#live.has(agent_id)) throw transitionConflict(agent, 'running', ': it already has a skill')
    const live = new LiveRun(agent, { maxRetries, idempotencyKey, alsoCommit, rest })
    this.#live.set(agent_id, live)
    return live
  }

  /** Ends work for a subagent, except for what follows in the background. */
  close(live: LiveRun | undefined): void {
    if (live === undefined) return
    if (live.background === undefined) this.#live.delete(live.agentId)
    live.end()
  }

  /**
   * Runs an idle subagent to its end; one that is not stored yet is `created` when it starts, or so much later. It is
   * synchronous until the skill starts, unless there is something to wait for.
   */
  start(live: LiveRun, steps: readonly RunStep[], turn: Turn, created?: Created): Promise<ChainResults> {
    const before = turn.come()
    if (before === undefined) return this.#enter(live, steps, turn, created)
    return before.then(() => this.#enter(live, steps, turn, created))
  }

  #enter(live: LiveRun, steps: readonly RunStep[], turn: Turn, created?: Created): Promise<ChainResults> {
    const waiting = this.#acquire(live, steps, 0)
    turn.leave()
    if (waiting === undefined) return this.#begin(live, steps, created)
    return waiting.then(() => this.#begin(live, steps, created))
  }

  #begin(live: LiveRun, steps: readonly RunStep[], created?: Created): Promise<ChainResults> {
    const run = this.#admit(live, steps, 0)
    const storeAfter = created?.storeAfter
    let job: MaybePromise<Job>
    try {
      job = run.start(created && live.agent, storeAfter !== undefined)
    } catch (error) {
      throw notStarted(live, run, error)
    }
    if (!(job instanceof Promise)) return this.#finishStored(run, job, storeAfter)
    return job.then(
      (started) => this.#finishStored(run, started, storeAfter),
      (error: unknown) => {
        throw notStarted(live, run, error)
      },
    )
  }

  /** Finishes a run, and stores its subagent after some milliseconds if given. */
  #finishStored(run: AgentRun, job: Job, storeAfter: number | undefined): Promise<ChainResults> {
    const { state, timers } = this.#runtime
    if (storeAfter === undefined || !state.durable) return this.#finish(run, job)
    const cancel = timers.set(storeAfter, () => void this.#store(run.session), { background: true })
    return this.#finish(run, job).finally(cancel)
  }

  async #store(session: AgentSession): Promise<void> {
    try {
      await this.#runtime.state.store(session.agentId)
    } catch (error) {
      this.#runtime.log.warn('a subagent could not be stored yet', { ...session.ids, error: messageOf(error) })
    }
  }

  /** Takes over a run that another process began, and continues it in the background. Resolves when it runs. */
  async continue(live: LiveRun, steps: readonly RunStep[], position: number, stale?: Lease): Promise<Subagent> {
    await this.#acquire(live, steps, position)
    const run = this.#admit(live, steps, position)
    const { session } = run
    try {
      const running = await takeLease(session, stale)
      const progress = await this.#progress(live.agentId)
      live.background = this.#finish(run, progress)
        .then(
          () => {},
          (error: unknown) => {
            this.#runtime.log.warn('a resumed run did not complete', { ...session.ids, error: messageOf(error) })
          },
        )
        .finally(() => this.#live.delete(live.agentId))
      return running
    } catch (error) {
      session.capacity.releaseAll()
      throw error
    }
  }

  /** Gives runs some time to finish or reach a checkpoint, interrupts the rest, and waits until all have ended. */
  async shutdown(milliseconds: number): Promise<void> {
    const all = [...this.#live.values()]
    for (const live of all) {
      if (live.session) live.session.drain()
      else live.stop(skillsError('CLOSED', 'The runtime was shut down before the run began.'))
    }
    const ended = Promise.all(all.map((live) => live.ended()))
    if (milliseconds > 0) {
      await withDeadline<unknown>(ended, { timeout: milliseconds, timers: this.#runtime.timers, expired: () => {} })
    }
    for (const live of all) live.stop(interrupted(live.agentId))
    await ended
  }

  #acquire(live: LiveRun, steps: readonly RunStep[], position: number): MaybePromise<void> {
    const { name } = (steps[position] as RunStep).skill
    for (let index = position; index < steps.length; index++) {
      requireRunnable(this.#runtime, (steps[index] as RunStep).skill)
    }
    return this.#runtime.scheduler.acquire({ agent: true, skill: name, isNew: true }, live)
  }

  #admit(live: LiveRun, steps: readonly RunStep[], position: number): AgentRun {
    const session = new AgentSession(this.#runtime, live.agent, live.settings)
    session.capacity.takeOver((steps[position] as RunStep).skill.name)
    live.session = session
    try {
      live.throwIfStopped()
    } catch (error) {
      session.capacity.releaseAll()
      throw error
    }
    return new AgentRun(session, steps)
  }

  #finish(run: AgentRun, from: Job | Progress): Promise<ChainResults> {
    const { session } = run
    const { sessions, state, cleared } = this.#runtime
    this.#keeper.add(session)
    sessions.set(session.agentId, session)
    return run.finish(from, () => {
      this.#keeper.remove(session)
      state.drop(session.agentId)
      cleared.delete(session.agentId)
      sessions.delete(session.agentId)
    })
  }

  /** The state of a run. Read while the lease is held, so that no other process changes it. */
  async #progress(agentId: string): Promise<Progress> {
    const { state } = this.#runtime
    const run = await state.run(agentId)
    const id = run?.execution_id
    const execution = id == null ? undefined : await state.execution(id, agentId)
    const checkpoint = id == null ? undefined : await state.checkpoint(id)
    return { position: run?.position ?? 0, execution, state: checkpoint?.state as Progress['state'] }
  }
}

/** Releases the capacity of a run that could not start. Returns the reason, or throws the one for which it was stopped. */
function notStarted(live: LiveRun, run: AgentRun, error: unknown): unknown {
  run.session.capacity.releaseAll()
  live.throwIfStopped()
  return error
}
