import { type MissionEnvelope, TASK_ROLE_TYPES } from '@minions/colony-contracts'
import { cloneJson, isId, MinionsError, readClock } from '@minions/core'
import type { SkillContext, Subagent } from '@minions/skills-runtime'
import { colonyError, messageOf } from '../errors.js'
import { agentName, MissionDriver } from '../mission/drive-mission.js'
import { LiveMission, type MissionEnd, type MissionState } from '../mission/live-mission.js'
import { loadMission } from '../mission/load-mission.js'
import { performTask } from '../mission/perform-task.js'
import { roleSkills, type TaskParameters } from '../mission/role-skills.js'
import type { MissionServices, MissionSettings } from '../mission/services.js'
import { missionDiagram } from '../picture/mermaid.js'
import { missionText } from '../picture/text.js'
import { type ReplayReport, replayMission } from '../replay/replay-mission.js'
import { type MissionRun, missionRunsCollection } from '../state/collections.js'
import { type MissionProgress, type MissionResult, progressOf, resultOf } from './mission-status.js'
import { TenantMissions } from './tenant-missions.js'
import { watchMission } from './watch-mission.js'
import { Watchers } from './watchers.js'

export interface RunMissionOptions extends Partial<MissionSettings> {
  /** Cancels the mission when it is aborted. */
  readonly signal?: AbortSignal
}

export interface ResumeMissionOptions extends RunMissionOptions {
  /** Lets a mission that failed, was cancelled or ran out of budget go on with what is not done yet. */
  readonly retryFailed?: boolean
}

/** Within which tenant; there is no reading without one. */
export interface TenantScope {
  readonly tenantId: string
}

interface Live {
  readonly mission: LiveMission
  readonly done: Promise<MissionResult>
}

/**
 * Runs missions: a plan is made of the envelope, each task runs as a subagent, and every stage reads and writes
 * artifacts and nothing else. What is done is stored at once, so that a mission survives the process that runs it.
 */
export class MissionRunner {
  readonly #services: MissionServices
  readonly #live = new Map<string, Live>()
  readonly #watchers = new Watchers()
  #closed = false

  constructor(services: MissionServices) {
    this.#services = services
    services.skills.registry.registerAll(roleSkills((parameters, context) => this.#perform(parameters, context)))
  }

  /**
   * Runs a mission to its end and resolves to what came out, also when it failed, was cancelled or used up a budget.
   * Throws `INVALID_ARTIFACT`, or `MISSION_EXISTS` when it was started before.
   */
  async run(envelope: MissionEnvelope, options: RunMissionOptions = {}): Promise<MissionResult> {
    this.#requireOpen()
    const state = await this.#begin(envelope)
    return this.#start(state, new Map(), options)
  }

  /** The missions of one tenant; those of others are not there. */
  forTenant(tenantId: string): TenantMissions {
    if (!isId(tenantId)) {
      throw new MinionsError('VALIDATION_FAILED', 'Missions are read within one tenant; `forTenant` needs its id.')
    }
    return new TenantMissions(this, tenantId)
  }

  /**
   * Takes a mission on from where it stands and resolves to what came out. Tasks that are done are not done again; one
   * that was under way is retried once the lease of its process has run out. A mission that has ended stays as it is.
   */
  async resume(missionId: string, options: ResumeMissionOptions & TenantScope): Promise<MissionResult> {
    this.#requireOpen()
    const { tenantId, retryFailed = false, ...rest } = options
    const live = this.#liveIn(tenantId, missionId)
    if (live !== undefined) return live.done
    const state = await this.#load(tenantId, missionId)
    const isOver = state.run.status !== 'running'
    if (isOver && (!retryFailed || state.run.status === 'completed')) return resultOf(this.#mission(state))
    const run = isOver ? await this.#reopen(state.run) : state.run
    const left = await this.#leftAgents(missionId)
    return this.#liveIn(tenantId, missionId)?.done ?? this.#start({ ...state, run }, left, rest)
  }

  /** How a mission stands. Throws `NOT_FOUND`. */
  async status(missionId: string, { tenantId }: TenantScope): Promise<MissionProgress> {
    const live = this.#liveIn(tenantId, missionId)
    return progressOf(live?.mission ?? this.#mission(await this.#load(tenantId, missionId)))
  }

  /** How a mission stands now and whenever that changes, until it has ended. */
  watch(missionId: string, { tenantId }: TenantScope): AsyncIterableIterator<MissionProgress> {
    return watchMission({
      current: () => this.status(missionId, { tenantId }),
      isLive: () => this.#live.has(missionId),
      on: (listener) => this.#watchers.on(missionId, listener),
      timers: this.#services.timers,
    })
  }

  /** Ends a mission: what runs is aborted, what was made is kept. One that has ended already stays as it is. */
  async cancel(missionId: string, { tenantId }: TenantScope): Promise<MissionProgress> {
    const live = this.#liveIn(tenantId, missionId)
    if (live !== undefined) {
      live.mission.stop({ status: 'cancelled', error: 'cancelled' })
      await live.done.catch(() => undefined)
      return this.status(missionId, { tenantId })
    }
    await this.#load(tenantId, missionId)
    await this.#end(missionId, { status: 'cancelled', error: 'cancelled' })
    for (const { agent_id } of (await this.#leftAgents(missionId)).values()) {
      await this.#services.skills.cancel(agent_id).catch(() => undefined)
    }
    return this.status(missionId, { tenantId })
  }

  /**
   * Derives every artifact once more from those stored before it and the recorded answers, without asking a model or
   * calling a tool, and reports the first that differs. Nothing is written.
   */
  async replay(missionId: string, { tenantId }: TenantScope): Promise<ReplayReport> {
    return replayMission(this.#services, this.#mission(await this.#load(tenantId, missionId)))
  }

  /** The graph with the states of its tasks, as a Mermaid flowchart. */
  async toMermaid(missionId: string, scope: TenantScope): Promise<string> {
    return missionDiagram(await this.status(missionId, scope))
  }

  /** The graph with the states of its tasks, for terminals. */
  async toText(missionId: string, scope: TenantScope): Promise<string> {
    return missionText(await this.status(missionId, scope))
  }

  /** Stops starting tasks; missions under way stay resumable. */
  close(): void {
    this.#closed = true
    for (const { mission } of this.#live.values()) mission.interrupt()
  }

  async #begin(envelope: MissionEnvelope): Promise<MissionState> {
    const { contracts, clock } = this.#services
    return contracts.store.transaction(async (store) => {
      const { artifact } = await store.put(envelope)
      const stored = artifact as unknown as MissionEnvelope
      const { mission_id, tenant_id } = stored
      const known = await store.storage.get(missionRunsCollection, mission_id)
      if (known !== undefined) {
        throw colonyError('MISSION_EXISTS', `Mission ${mission_id} was started at ${known.started_at}; resume it.`, {
          details: { mission_id, status: known.status },
        })
      }
      const started_at = readClock(clock)
      const run: MissionRun = { mission_id, tenant_id, status: 'running', started_at, ended_at: null, error: null }
      await store.storage.put(missionRunsCollection, run)
      const graph = await store.forTenant(tenant_id).get(mission_id, 'mission_task_graph')
      return { envelope: stored, graph, run, taskRuns: [], artifacts: new Map(), answers: [] }
    })
  }

  #start(
    state: MissionState,
    left: ReadonlyMap<string, Subagent>,
    { signal, ...settings }: RunMissionOptions,
  ): Promise<MissionResult> {
    const mission = this.#mission(state)
    const { concurrency, onFailure, maxAttempts } = this.#services
    const changed = () => {
      if (this.#watchers.has(mission.id)) this.#watchers.emit(progressOf(mission))
    }
    const chosen = { concurrency, onFailure, maxAttempts, ...settings }
    const driver = new MissionDriver(this.#services, chosen, mission, left, changed)
    const cancel = () => mission.stop({ status: 'cancelled', error: messageOf(signal?.reason) })
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    const done = this.#finish(mission, driver).finally(() => {
      signal?.removeEventListener('abort', cancel)
      this.#live.delete(mission.id)
      changed()
    })
    // Whoever called hears of a failure; nobody else needs to.
    done.catch(() => undefined)
    this.#live.set(mission.id, { mission, done })
    return done
  }

  async #finish(mission: LiveMission, driver: MissionDriver): Promise<MissionResult> {
    const end = await driver.drive()
    if (end === undefined) {
      const message = `The app was closed while mission ${mission.id} ran; resume it to go on.`
      throw colonyError('MISSION_INTERRUPTED', message, { details: { mission_id: mission.id } })
    }
    mission.run = await this.#end(mission.id, end)
    return resultOf(mission)
  }

  /** Records the end, unless another process has done so. */
  #end(missionId: string, { status, error }: MissionEnd): Promise<MissionRun> {
    const { storage, clock } = this.#services
    return storage.transaction(async (tx) => {
      const run = (await tx.get(missionRunsCollection, missionId)) as MissionRun
      if (run.status !== 'running') return run
      const next: MissionRun = { ...run, status, error, ended_at: readClock(clock) }
      await tx.put(missionRunsCollection, next)
      return next
    })
  }

  async #reopen(run: MissionRun): Promise<MissionRun> {
    const next: MissionRun = { ...run, status: 'running', ended_at: null, error: null }
    await this.#services.storage.put(missionRunsCollection, next)
    return next
  }

  /** The subagents of a mission that have not ended, by name. */
  async #leftAgents(missionId: string): Promise<Map<string, Subagent>> {
    const left = new Map<string, Subagent>()
    const agents = await this.#services.skills.list({ state: ['idle', 'running', 'paused'] })
    for (const agent of agents) {
      const { mission_id, task_id } = agent.metadata ?? {}
      if (mission_id === missionId && typeof task_id === 'string') left.set(agentName(missionId, task_id), agent)
    }
    return left
  }

  async #perform({ mission_id, task_id, role_type, attempt }: TaskParameters, context: SkillContext): Promise<void> {
    const mission = this.#live.get(mission_id)?.mission
    if (mission === undefined || !TASK_ROLE_TYPES.includes(role_type)) {
      throw colonyError('MISSION_NOT_LIVE', `Mission ${mission_id} does not run here; resume it with the colony.`)
    }
    await performTask(this.#services, mission, { taskId: task_id, role: role_type, attempt }, context)
  }

  #mission(state: MissionState): LiveMission {
    return new LiveMission({ ...state, envelope: cloneJson(state.envelope) }, this.#services.clock)
  }

  #liveIn(tenantId: string, missionId: string): Live | undefined {
    const live = this.#live.get(missionId)
    return live?.mission.envelope.tenant_id === tenantId ? live : undefined
  }

  async #load(tenantId: string, missionId: string): Promise<MissionState> {
    const state = isId(missionId) ? await loadMission(this.#services, tenantId, missionId) : undefined
    if (state !== undefined) return state
    throw new MinionsError('NOT_FOUND', `Tenant "${tenantId}" has run no mission "${String(missionId).slice(0, 80)}".`)
  }

  #requireOpen(): void {
    if (this.#closed) throw colonyError('MISSION_INTERRUPTED', 'The app is closed; missions run in an open one.')
  }
}
