/// <reference lib="esnext.disposable" preserve="true" />
import { messageOf, type TypedEmitter } from '@minions/core'
import { cloneJson, type JsonObject } from '@minions/core/json'
import { guardMethods, readClock } from '@minions/core/plugin'
import { checkMillis, checkObject, checkRetries, checkSignal } from '../../arguments.js'
import { asAgent } from '../../bus/as-agent.js'
import { checkAgentId } from '../../bus/checks.js'
import type { MessageBus } from '../../bus/message-bus.js'
import { skillsError } from '../../errors.js'
import type { Skill } from '../../skills/definition/skill.js'
import { discoverSkillFolders } from '../../skills/loading/discover-folders.js'
import type { LoadedSkills } from '../../skills/loading/load-skills.js'
import type { LoadProblem } from '../../skills/loading/problem.js'
import { loadFolders } from '../../skills/registry/load-folders.js'
import type { RegisteredSkill, SkillRegistry } from '../../skills/registry/skill-registry.js'
import { SkillStore } from '../../skills/registry/skill-store.js'
import { quoted } from '../../validation.js'
import { notIdle } from '../engine/agent-run.js'
import { announceSpawned, changeAgent, transitionConflict } from '../engine/change-agent.js'
import { isUnfit } from '../engine/check-skill.js'
import { CANCELLED_TEXT, cancelledExecution } from '../engine/end-execution.js'
import type { SkillsEvents } from '../engine/events.js'
import type { ChainResults, RunStep } from '../engine/run-plan.js'
import type { RunSettings } from '../engine/run-settings.js'
import type { Runtime } from '../engine/runtime.js'
import { cancelled, interrupted } from '../engine/stop-errors.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import { LogBuffer } from '../executions/log-buffer.js'
import { type LogFilter, parseLogFilter } from '../executions/log-filter.js'
import type { ExecutionLog } from '../executions/log-schema.js'
import { type Turn, Turnstile } from '../scheduler/turnstile.js'
import type { AgentFilter, ExecutionFilter } from '../state/filters.js'
import { noSuchAgent } from '../state/no-such-agent.js'
import type { AgentChange, AgentCounts, AgentSnapshot, ExecutionCounts, MaybePromise } from '../state/runtime-state.js'
import { isFinal } from '../subagents/agent-state.js'
import { subagentError } from '../subagents/error-text.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { checkOptions } from './check-options.js'
import { closingMailboxes, createBus } from './create-bus.js'
import { createRuntime } from './create-runtime.js'
import { type Created, Launcher } from './launcher.js'
import type { LiveRun } from './live-run.js'
import type { SubagentManagerOptions } from './options.js'
import { type ChainParams, planAgain, planChain, planSingle } from './plan-run.js'
import { newSubagent, type SpawnInput } from './spawn-input.js'
import { claimLease, endPause, requireResumable } from './take-over.js'
import { Waiters } from './waiters.js'

export interface RunOptions {
  /** The version of the skill; the highest unless given. */
  readonly version?: string
  /** Cancels the subagent when it is aborted. */
  readonly signal?: AbortSignal
  /** Retries of a skill after its first attempt; what the skill itself says unless given. */
  readonly maxRetries?: number
  /** True if the caller has asked the policy of the app about what it runs; it is not asked again. */
  readonly cleared?: boolean
}

export interface ExecuteOptions extends RunOptions {
  /** What the subagent is given. */
  readonly agent?: SpawnInput
  /**
   * Milliseconds after which the subagent is stored if it still runs; at once unless given. One that ends sooner takes one
   * write, and if the process dies before, nothing is left of it: only for work that is then begun again anyway.
   */
  readonly storeAfter?: number
  /** Id of the subagent, which none may have yet; a new one unless given. */
  readonly agentId?: string
  /** What skills get as `idempotencyKey`, in place of the id of the execution. */
  readonly idempotencyKey?: string
  /** Work that is committed together with the result, or not at all. */
  readonly alsoCommit?: RunSettings['alsoCommit']
  /** Called when the run begins to do nothing but wait for a person; what it returns is awaited before it goes on. */
  readonly rest?: RunSettings['rest']
}

export interface ResumeOptions {
  /** Parameters of a chain that were given as functions, by skill name; needed in another process than the first. */
  readonly params?: ChainParams
  /** Retries of a skill after its first attempt; what the skill itself says unless given. */
  readonly maxRetries?: number
  /** Takes the lease without waiting for it to expire: the caller knows that the process which ran the subagent is gone. */
  readonly takeOver?: boolean
  /** As for `execute`. */
  readonly idempotencyKey?: string
  /** As for `execute`. */
  readonly alsoCommit?: RunSettings['alsoCommit']
  /** As for `execute`. */
  readonly rest?: RunSettings['rest']
  /** As for a run. */
  readonly cleared?: boolean
}

/** How things stand. */
export interface SkillsStats {
  /** Subagents by state. */
  readonly agents: AgentCounts
  /** Executions by status. */
  readonly executions: ExecutionCounts
  /** Subagents that run in this process. */
  readonly running: number
  /** Runs that wait for capacity in this process. */
  readonly queued: number
  /** Names in the registry. */
  readonly skills: number
}

/**
 * Creates subagents and lets them run skills. Every transition is a compare-and-set in the store: of two at the same time
 * one wins and the other throws `CONFLICT`, also across processes.
 */
export class SubagentManager {
  readonly registry: SkillRegistry
  readonly events: TypedEmitter<SkillsEvents>
  /** What messages of skills go through. */
  readonly bus: MessageBus
  readonly #runtime: Runtime
  readonly #launcher: Launcher
  readonly #waiters: Waiters
  readonly #skills: SkillStore | undefined
  /** Runs queue in the order in which they were asked for, whichever subagent's record is read first. */
  readonly #turnstile = new Turnstile()
  readonly #options: SubagentManagerOptions
  #loaded: LoadedSkills = { skills: [], problems: [] }
  #closing: Promise<void> | undefined

  /** Creates a manager. With a store, or folders to load, use `SubagentManager.open`, which reads them. */
  constructor(given: SubagentManagerOptions = {}) {
    const options = checkOptions(given)
    if (options.load?.length || options.discover?.length) {
      throw skillsError('CAPABILITY_MISSING', 'Loading folders takes time; make the manager with SubagentManager.open.')
    }
    this.#options = options
    const parts = createRuntime(options)
    // The bus asks who runs here only when there are messages, and by then there is a launcher.
    this.bus = options.bus ?? createBus(parts, options, (agentId) => this.#launcher.session(agentId) !== undefined)
    // Who shares the bus of another closes no mailboxes in it.
    const ended = options.bus ? () => {} : closingMailboxes(this.bus, parts.log)
    this.#runtime = { ...parts, ended, messages: asAgent(this.bus) }
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

  /** What another manager needs to work on the same subagents. */
  get parts(): Pick<SubagentManagerOptions, 'registry' | 'bus' | 'clock' | 'timers' | 'ids' | 'leaseMs'> {
    const { registry, clock, timers, nextId, leaseMs } = this.#runtime
    return { registry, bus: this.bus, clock, timers, ids: nextId, leaseMs }
  }

  /** The skills that came from folders, and what did not become one. */
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
   * Lets an idle subagent run one skill, and resolves to its result. Rejects with `SKILL_FAILED`, `SKILL_TIMEOUT`,
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
      const registered = this.#find(skill, options)
      name = registered.name
      return planSingle(registered, params)
    })
    return results[name] as JsonObject
  }

  /**
   * Lets a new subagent run one skill, and resolves to its result: `spawn` and `run` in one, with one write less. The
   * subagent is stored when it starts. Rejects as `run` does; where that says that nothing ran, there is no subagent.
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
    const turn = this.#turnstile.enter()
    let live: LiveRun | undefined
    try {
      const agent = newSubagent(
        options.agent ?? {},
        options.agentId ?? this.#runtime.nextId(),
        readClock(this.#runtime.clock),
      )
      if (options.cleared) this.#runtime.cleared.add(agent.agent_id)
      const registered = this.#find(skill, options)
      const steps = planSingle(registered, params)
      live = this.#launcher.open(agent, options)
      const results = await this.#start(live, agent, steps, turn, options, options)
      return results[registered.name] as JsonObject
    } finally {
      turn.leave()
      this.#launcher.close(live)
    }
  }

  /**
   * Lets an idle subagent run all that a skill depends on, each once, and then the skill itself; it stays running to the
   * end. Resolves to the results by skill name, and rejects as `run` does.
   */
  async runChain(
    agentId: string,
    skill: string | Skill,
    params?: ChainParams,
    options: RunOptions = {},
  ): Promise<ChainResults> {
    checkRunOptions(options)
    return this.#launch(agentId, options, () => planChain(this.registry, this.#find(skill, options), params))
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
   * Lets a paused subagent go on, or one whose process died, from its last checkpoint. In the latter case it waits until
   * the lease of that process has run out. Resolves when it runs. Throws `CONFLICT` when it is running already.
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
    const agent = await this.#markCancelled(agentId)
    await this.#launcher.stop(agentId, cancelled(agentId))
    return cloneJson(agent)
  }

  /** Resolves when this process does nothing more for a subagent. */
  async whenIdle(agentId: string): Promise<void> {
    await this.#launcher.whenIdle(agentId)
  }

  /** Breaks off what this process does for a subagent, which can be resumed then, here or elsewhere. */
  async interrupt(agentId: string): Promise<void> {
    if (typeof agentId !== 'string') checkAgentId(agentId)
    await this.#launcher.stop(agentId, interrupted(agentId))
  }

  /** The record of a subagent. Throws `NOT_FOUND`. */
  async get(agentId: string): Promise<Subagent> {
    return cloneJson(await this.#agent(agentId))
  }

  /** The subagents that fit a filter, oldest first. */
  async list(filter: AgentFilter = {}): Promise<Subagent[]> {
    return this.#runtime.state.agents(filter)
  }

  /** Waits until a subagent has completed or failed, and resolves to its record. */
  async wait(agentId: string): Promise<Subagent> {
    this.#requireOpen()
    return cloneJson(await this.#waiters.wait(agentId))
  }

  /** The executions that fit a filter, oldest first. */
  async executions(filter: ExecutionFilter = {}): Promise<SkillExecution[]> {
    return this.#runtime.state.executions(filter)
  }

  /**
   * What an execution has logged, oldest line first, and its last progress. Lines of another process are there after
   * some seconds, or when the execution ends. Throws `NOT_FOUND`.
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
      agents: await state.countAgents(),
      executions: await state.countExecutions(),
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
   * Ends everything: runs get some milliseconds to reach a checkpoint or their end and are broken off otherwise, which
   * leaves them resumable. Doing so twice is fine.
   */
  async shutdown(milliseconds: number = this.#options.shutdownMs ?? 3000): Promise<void> {
    checkMillis('The shutdown', 'milliseconds', milliseconds)
    this.#closing ??= this.#shutdown(milliseconds)
    return this.#closing
  }

  /** Shuts down, for `await using manager = …` where Node has that. */
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
    const turn = this.#turnstile.enter()
    let live: LiveRun | undefined
    try {
      const agent = await this.#agent(agentId)
      live = this.#launcher.open(agent, options)
      return await this.#start(live, agent, await this.#plan(agent, plan), turn, options)
    } finally {
      turn.leave()
      this.#launcher.close(live)
    }
  }

  #start(
    live: LiveRun,
    agent: Subagent,
    steps: readonly RunStep[],
    turn: Turn,
    { signal }: RunOptions,
    created?: Created,
  ): Promise<ChainResults> {
    const start = () => this.#launcher.start(live, agent, steps, turn, created)
    const begin = () => (signal === undefined ? start() : this.#startUntil(signal, live, start, created))
    return this.#skills?.isFlushed === false ? this.#skills.flush().then(begin) : begin()
  }

  /** Starts a run that is cancelled when the signal is aborted. */
  async #startUntil(
    signal: AbortSignal,
    live: LiveRun,
    start: () => Promise<ChainResults>,
    created: Created | undefined,
  ): Promise<ChainResults> {
    const agent_id = live.agentId
    if (signal.aborted) {
      if (!created) await this.#markCancelled(agent_id)
      throw cancelled(agent_id)
    }
    const cancel = async () => {
      try {
        await this.cancel(agent_id)
      } catch (error) {
        // One that waits to be created is not stored.
        if (skillsError.is(error, 'NOT_FOUND')) live.stop(cancelled(agent_id))
      }
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await start()
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Nothing runs when the skill is unknown or its parameters do not fit, and an idle subagent fails. */
  async #plan(agent: Subagent, plan: () => RunStep[]): Promise<RunStep[]> {
    if (agent.state !== 'idle') throw notIdle(agent)
    try {
      return plan()
    } catch (error) {
      if (isUnfit(error)) await this.#refuse(agent.agent_id, error as Error)
      throw error
    }
  }

  async #refuse(agentId: string, { message }: Error): Promise<void> {
    const completed_at = readClock(this.#runtime.clock)
    await changeAgent(this.#runtime, agentId, ({ agent }) => {
      if (agent.state !== 'idle') return undefined
      return { agent: { ...agent, state: 'failed', error: subagentError(message), completed_at } }
    })
  }

  #markCancelled(agentId: string): MaybePromise<Subagent> {
    const { clock } = this.#runtime
    const logs = this.#launcher.session(agentId)?.logs
    const cancel = ({ agent, pending }: AgentSnapshot): AgentChange => {
      if (isFinal(agent.state)) throw transitionConflict(agent, 'failed', ': it has ended')
      return {
        ...logs?.addTo(undefined).change,
        agent: { ...agent, state: 'failed', error: CANCELLED_TEXT, completed_at: readClock(clock) },
        executions: pending.map((each) => cancelledExecution(each, clock)),
        forget: pending.map(({ execution_id }) => execution_id),
        lease: null,
        pause: null,
        run: null,
      }
    }
    return changeAgent(this.#runtime, agentId, cancel, { pending: true })
  }

  async #takeOver(agentId: string, options: ResumeOptions): Promise<Subagent> {
    const { state } = this.#runtime
    const agent = await this.#agent(agentId)
    requireResumable(agent)
    const live = this.#launcher.open(agent, options)
    try {
      const record = await state.run(agentId)
      if (record === undefined) throw transitionConflict(await this.#agent(agentId), 'running')
      const steps = planAgain(this.registry, record, options.params)
      if (this.#skills?.isFlushed === false) await this.#skills.flush()
      const claim = options.takeOver ? { stale: await state.lease(agentId) } : await claimLease(this.#runtime, agentId)
      if ('heldElsewhere' in claim) return cloneJson(claim.heldElsewhere)
      return cloneJson(await this.#launcher.continue(live, agent, steps, record, claim.stale))
    } finally {
      this.#launcher.close(live)
    }
  }

  #find(skill: string | Skill, { version }: RunOptions): RegisteredSkill {
    if (typeof skill !== 'object' || skill === null) return this.registry.getSkill(skill, version)
    return this.registry.getSkill(skill.name, version ?? skill.version)
  }

  async #agent(agentId: string): Promise<Subagent> {
    const agent = await this.#runtime.state.agent(agentId)
    if (agent === undefined) throw noSuchAgent(agentId)
    return agent
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw skillsError('CLOSED', 'The runtime was shut down; make another one.')
  }
}

guardMethods(SubagentManager, { callsBack: true })

function checkRunOptions(options: RunOptions): void {
  checkObject('The run', options)
  checkSignal('The run', options.signal)
  checkRetries('The run', options.maxRetries)
}
