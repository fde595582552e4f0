/// <reference lib="esnext.disposable" preserve="true" />
import { messageOf, type TypedEmitter } from '@minions/core'
import { cancelOnAbort, Mutex } from '@minions/core/coordination'
import { cloneJson, type JsonObject } from '@minions/core/json'
import { guardMethods, readClock } from '@minions/core/plugin'
import { checkMillis, checkObject, checkRetries } from '../../arguments.js'
import { checkAgentId } from '../../bus/checks.js'
import type { MessageBus } from '../../bus/message-bus.js'
import { skillsError } from '../../errors.js'
import type { Skill } from '../../skills/definition/skill.js'
import { discoverSkillFolders } from '../../skills/loading/discover-folders.js'
import type { LoadedSkills } from '../../skills/loading/load-skills.js'
import type { LoadProblem } from '../../skills/loading/problem.js'
import { loadFolders } from '../../skills/registry/load-folders.js'
import type { SkillRegistry } from '../../skills/registry/skill-registry.js'
import { SkillStore } from '../../skills/registry/skill-store.js'
import { quoted } from '../../validation.js'
import { announceSpawned, changeAgent, transitionConflict } from '../engine/change-agent.js'
import type { SkillsEvents } from '../engine/events.js'
import type { ChainResults, RunStep } from '../engine/run-plan.js'
import type { Runtime } from '../engine/runtime.js'
import { cancelled, interrupted } from '../engine/stop-errors.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import { LogBuffer } from '../executions/log-buffer.js'
import { type LogFilter, parseLogFilter } from '../executions/log-filter.js'
import type { ExecutionLog } from '../executions/log-schema.js'
import { Turn } from '../scheduler/turn.js'
import type { AgentFilter, ExecutionFilter } from '../state/filters.js'
import { noSuchAgent } from '../state/no-such-agent.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { checkOptions } from './check-options.js'
import { closingMailboxes, createBus } from './create-bus.js'
import { createRuntime } from './create-runtime.js'
import { Launcher } from './launcher.js'
import type { LiveRun } from './live-run.js'
import { markCancelled } from './mark-cancelled.js'
import type { SubagentManagerOptions } from './options.js'
import { planOrFail } from './plan-or-fail.js'
import { type ChainParams, findSkill, planAgain, planChain, planSingle } from './plan-run.js'
import { checkRunOptions, type ExecuteOptions, type ResumeOptions, type RunOptions } from './run-options.js'
import { newSubagent, type SpawnInput } from './spawn-input.js'
import type { SkillsStats } from './stats.js'
import { claimLease, endPause, orPauseAgain, requireResumable } from './take-over.js'
import { Waiters } from './waiters.js'

/**
 * Creates subagents and runs skills in them. Every transition is a compare-and-set in the store: of two concurrent
 * ones, one wins and the other throws `CONFLICT`, even across processes.
 */
export class SubagentManager {
  readonly registry: SkillRegistry
  readonly events: TypedEmitter<SkillsEvents>
  /** The message bus of skills. */
  readonly bus: MessageBus
  readonly #runtime: Runtime
  readonly #launcher: Launcher
  readonly #waiters: Waiters
  readonly #skills: SkillStore | undefined
  /** Runs queue in the order of the calls, whichever subagent's record is read first. */
  readonly #order = new Mutex()
  readonly #options: SubagentManagerOptions
  #loaded: LoadedSkills = { skills: [], problems: [] }
  #closing: Promise<void> | undefined

  /** Creates a manager. With a store, or folders to load, use `SubagentManager.open`, which reads them. */
  constructor(given: SubagentManagerOptions = {}) {
    const options = checkOptions(given)
    if (options.load?.length || options.discover?.length) {
      const message = 'Loading folders is asynchronous; create the manager with SubagentManager.open.'
      throw skillsError('CAPABILITY_MISSING', message)
    }
    this.#options = options
    const parts = createRuntime(options)
    // The bus queries running subagents only for messages, and by then there is a launcher.
    this.bus = options.bus ?? createBus(parts, options, (agentId) => this.#launcher.session(agentId) !== undefined)
    // A manager that shares another's bus closes no mailboxes in it.
    const ended = options.bus ? () => {} : closingMailboxes(this.bus, parts.log)
    this.#runtime = { ...parts, ended, bus: this.bus }
    this.registry = this.#runtime.registry
    this.events = this.#runtime.events
    this.#launcher = new Launcher(this.#runtime)
    this.#waiters = new Waiters(this.#runtime)
    this.#skills = options.storage && new SkillStore(this.registry, options.storage)
  }

  /** Creates a manager, restores the stored skills and loads folders. */
  static async open(options: SubagentManagerOptions = {}): Promise<SubagentManager> {
    checkOptions(options)
    const { load = [], discover = [], ...rest } = options
    const manager = new SubagentManager(rest)
    const { log } = manager.#runtime
    for (const { skill, error } of (await manager.#skills?.restore()) ?? []) {
      log.warn('a stored skill was not restored', { name: skill.name, version: skill.version, error: messageOf(error) })
    }
    manager.#loaded = await loadFolders(manager.registry, { load, discover: await discoverSkillFolders(discover) }, log)
    return manager
  }

  /** The parts that another manager needs to work on the same subagents. */
  get parts(): Pick<SubagentManagerOptions, 'registry' | 'bus' | 'clock' | 'timers' | 'ids' | 'leaseMs'> {
    const { registry, clock, timers, nextId, leaseMs } = this.#runtime
    return { registry, bus: this.bus, clock, timers, ids: nextId, leaseMs }
  }

  /** The skills loaded from folders, and the problems. */
  get loaded(): LoadedSkills {
    return this.#loaded
  }

  get problems(): readonly LoadProblem[] {
    return this.#loaded.problems
  }

  /** Creates an idle subagent. Throws `VALIDATION_FAILED`. */
  async spawn(input: SpawnInput = {}): Promise<Subagent> {
    this.#requireOpen()
    const { state, clock } = this.#runtime
    const agent = newSubagent(input, this.#runtime.nextId(), readClock(clock))
    const inserted = state.insert(agent)
    if (inserted instanceof Promise) await inserted
    announceSpawned(this.#runtime, agent)
    return cloneJson(agent)
  }

  /**
   * Runs one skill in an idle subagent, and resolves to its result. Rejects with `SKILL_FAILED`, `SKILL_TIMEOUT`,
   * `CANCELLED` or, when nothing ran, `CONFLICT`, `QUEUE_FULL`, `LIMIT_REACHED` or `SKILL_NOT_BOUND`. An unknown skill
   * (`NOT_FOUND`) or invalid parameters (`VALIDATION_FAILED`) make an idle subagent fail.
   */
  run<Params, Result extends object>(
    agentId: string,
    skill: Skill<Params, Result>,
    params: Params,
    options?: RunOptions,
  ): Promise<Result>
  run(agentId: string, skill: string, params?: object, options?: RunOptions): Promise<JsonObject>
  async run(agentId: string, skill: string | Skill, params?: unknown, options: RunOptions = {}): Promise<object> {
    checkRunOptions(options)
    if (options.cleared) this.#runtime.cleared.add(agentId)
    let name = ''
    const results = await this.#launch(agentId, options, () => {
      const registered = findSkill(this.registry, skill, options.version)
      name = registered.name
      return planSingle(registered, params)
    })
    return results[name] as JsonObject
  }

  /**
   * Runs one skill in a new subagent, and resolves to its result: `spawn` and `run` in one call, with one write less.
   * The subagent is stored when it starts. Rejects as `run` does; if nothing ran, there is no subagent.
   */
  execute<Params, Result extends object>(
    skill: Skill<Params, Result>,
    params: Params,
    options?: ExecuteOptions,
  ): Promise<Result>
  execute(skill: string, params?: object, options?: ExecuteOptions): Promise<JsonObject>
  async execute(skill: string | Skill, params?: unknown, options: ExecuteOptions = {}): Promise<object> {
    checkRunOptions(options)
    checkMillis('The run', 'storeAfter', options.storeAfter)
    this.#requireOpen()
    const turn = new Turn(this.#order)
    let live: LiveRun | undefined
    try {
      const { nextId, clock } = this.#runtime
      const agent = newSubagent(options.agent ?? undefined, options.agentId ?? nextId(), readClock(clock))
      if (options.cleared) this.#runtime.cleared.add(agent.agent_id)
      const registered = findSkill(this.registry, skill, options.version)
      const steps = planSingle(registered, params)
      const run = this.#launcher.open(agent, options)
      live = run
      const results = await this.#start(run, options, () => this.#launcher.start(run, steps, turn, options), true)
      return results[registered.name] as JsonObject
    } finally {
      turn.leave()
      this.#launcher.close(live)
    }
  }

  /**
   * Runs the dependencies of a skill in an idle subagent, each once, and then the skill itself. Resolves to the results
   * by skill name, and rejects as `run` does.
   */
  async runChain(
    agentId: string,
    skill: string | Skill,
    params?: ChainParams,
    options: RunOptions = {},
  ): Promise<ChainResults> {
    checkRunOptions(options)
    return this.#launch(agentId, options, () =>
      planChain(this.registry, findSkill(this.registry, skill, options.version), params),
    )
  }

  /** Asks a running subagent to pause. It is paused once it reaches its next checkpoint. Throws `CONFLICT`. */
  async pause(agentId: string): Promise<Subagent> {
    const agent = await changeAgent(this.#runtime, agentId, (snapshot) => {
      if (snapshot.agent.state !== 'running') throw transitionConflict(snapshot.agent, 'paused')
      return snapshot.pause === undefined ? { pause: { agent_id: agentId } } : undefined
    })
    return cloneJson(agent)
  }

  /**
   * Continues a paused subagent, or one whose process died, from its last checkpoint. In the latter case it waits until
   * the lease of that process has expired. Resolves when it runs. Throws `CONFLICT` if it is already running.
   */
  async resume(agentId: string, options: ResumeOptions = {}): Promise<Subagent> {
    this.#requireOpen()
    checkObject('The resume', options)
    checkRetries('The resume', options.maxRetries)
    if (options.cleared) this.#runtime.cleared.add(agentId)
    const session = this.#launcher.session(agentId)
    if (session === undefined) return this.#takeOver(agentId, options)
    const agent = await changeAgent(this.#runtime, agentId, endPause)
    if (agent.state === 'running') void session.unpause()
    return cloneJson(agent)
  }

  /** Ends a subagent that has not ended: it fails with the error `cancelled`. Throws `CONFLICT`. */
  async cancel(agentId: string): Promise<Subagent> {
    const agent = await markCancelled(this.#runtime, this.#launcher, agentId)
    await this.#launcher.stop(agentId, cancelled(agentId))
    return cloneJson(agent)
  }

  /** Resolves when this process has finished all work for a subagent. */
  async whenIdle(agentId: string): Promise<void> {
    await this.#launcher.whenIdle(agentId)
  }

  /** Interrupts a subagent in this process; it can then be resumed, here or elsewhere. */
  async interrupt(agentId: string): Promise<void> {
    if (typeof agentId !== 'string') checkAgentId(agentId)
    await this.#launcher.stop(agentId, interrupted(agentId))
  }

  /** The record of a subagent. Throws `NOT_FOUND`. */
  async get(agentId: string): Promise<Subagent> {
    return cloneJson(await this.#agent(agentId))
  }

  /** The subagents that match a filter, oldest first. */
  async list(filter: AgentFilter = {}): Promise<Subagent[]> {
    return this.#runtime.state.agents(filter)
  }

  /** Waits until a subagent has completed or failed, and resolves to its record. */
  async wait(agentId: string): Promise<Subagent> {
    this.#requireOpen()
    return cloneJson(await this.#waiters.wait(agentId))
  }

  /** The executions that match a filter, oldest first. */
  async executions(filter: ExecutionFilter = {}): Promise<SkillExecution[]> {
    return this.#runtime.state.executions(filter)
  }

  /**
   * The log of an execution, oldest line first, and its last progress. Lines of another process appear after some
   * seconds, or when the execution ends. Throws `NOT_FOUND`.
   */
  async executionLog(executionId: string, filter: LogFilter = {}): Promise<ExecutionLog> {
    const select = parseLogFilter(filter)
    const [execution] = await this.executions({ execution_id: executionId, limit: 1 })
    if (execution === undefined) {
      throw skillsError('NOT_FOUND', `There is no execution ${quoted(executionId, 'with this id')}.`)
    }
    await this.#launcher.flushLog(executionId)
    return select((await this.#runtime.state.log(executionId)) ?? new LogBuffer(execution).record)
  }

  async stats(): Promise<SkillsStats> {
    const { state, scheduler } = this.#runtime
    return {
      ...(await state.counts()),
      running: scheduler.running,
      queued: scheduler.queued,
      skills: this.registry.listSkills().length,
    }
  }

  /** Stores the registry, as every run does before it begins. */
  async flush(): Promise<void> {
    await this.#skills?.flush()
  }

  /**
   * Shuts down: runs get some milliseconds to finish or reach a checkpoint and are otherwise interrupted, which leaves
   * them resumable. Calling it twice is fine.
   */
  async shutdown(milliseconds: number = this.#options.shutdownMs ?? 3000): Promise<void> {
    checkMillis('The shutdown', 'milliseconds', milliseconds)
    this.#closing ??= this.#shutdown(milliseconds)
    return this.#closing
  }

  /** Shuts down, for `await using manager = …` where Node supports it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown()
  }

  async #shutdown(milliseconds: number): Promise<void> {
    const { timers, runners } = this.#runtime
    const end = timers.now() + milliseconds
    await this.#launcher.shutdown(milliseconds)
    this.#waiters.close()
    if (this.#options.bus === undefined) await this.bus.close({ deadline: Math.max(0, end - timers.now()) })
    for (const runner of runners.values()) await runner.close?.()
  }

  async #launch(agentId: string, options: RunOptions, plan: () => RunStep[]): Promise<ChainResults> {
    this.#requireOpen()
    const turn = new Turn(this.#order)
    let live: LiveRun | undefined
    try {
      const agent = await this.#agent(agentId)
      const run = this.#launcher.open(agent, options)
      live = run
      const steps = await planOrFail(this.#runtime, agent, plan)
      return await this.#start(run, options, () => this.#launcher.start(run, steps, turn))
    } finally {
      turn.leave()
      this.#launcher.close(live)
    }
  }

  #start(live: LiveRun, { signal }: RunOptions, start: () => Promise<ChainResults>, isNew = false) {
    const isReady = signal === undefined && this.#skills?.isFlushed !== false
    return isReady ? start() : this.#startLater(live, signal, start, isNew)
  }

  /** Starts a run once the registry is stored; it is cancelled when the signal, if any, is aborted. */
  async #startLater(
    live: LiveRun,
    signal: AbortSignal | undefined,
    start: () => Promise<ChainResults>,
    isNew: boolean,
  ): Promise<ChainResults> {
    if (this.#skills?.isFlushed === false) await this.#skills.flush()
    if (signal === undefined) return start()
    const agent_id = live.agentId
    if (signal.aborted) {
      if (!isNew) await markCancelled(this.#runtime, this.#launcher, agent_id)
      throw cancelled(agent_id)
    }
    const cancel = () =>
      this.cancel(agent_id).catch((error: unknown) => {
        // One that waits to be created is not stored.
        if (skillsError.is(error, 'NOT_FOUND')) live.stop(cancelled(agent_id))
      })
    return cancelOnAbort(signal, cancel, start)
  }

  async #takeOver(agentId: string, options: ResumeOptions): Promise<Subagent> {
    const agent = await this.#agent(agentId)
    requireResumable(agent)
    const live = this.#launcher.open(agent, options)
    try {
      const record = await this.#runtime.state.run(agentId)
      if (record === undefined) throw transitionConflict(await this.#agent(agentId), 'running')
      const claim = await claimLease(this.#runtime, agentId, options)
      if ('heldElsewhere' in claim) return cloneJson(claim.heldElsewhere)
      return await orPauseAgain(this.#runtime, agent, claim.stale, async () => {
        // Only the process that runs it needs the code of its skills.
        const steps = planAgain(this.registry, record, options.params)
        if (this.#skills?.isFlushed === false) await this.#skills.flush()
        return cloneJson(await this.#launcher.continue(live, steps, record.position, claim.stale))
      })
    } finally {
      this.#launcher.close(live)
    }
  }

  async #agent(agentId: string): Promise<Subagent> {
    const agent = await this.#runtime.state.agent(agentId)
    if (agent === undefined) throw noSuchAgent(agentId)
    return agent
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw skillsError('CLOSED', 'The runtime was shut down; create another one.')
  }
}

guardMethods(SubagentManager, { callsBack: true })
