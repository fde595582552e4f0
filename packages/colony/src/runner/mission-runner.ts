import type { MissionEnvelope } from '@minions/colony-contracts'
import { isId, MinionsError, type Page, quote, TypedEmitter } from '@minions/core'
import { cancelOnAbort, isFree } from '@minions/core/coordination'
import { cloneJson, getOrInsert } from '@minions/core/json'
import { guardMethods, takeOptions } from '@minions/core/plugin'
import type { SkillContext, Subagent } from '@minions/skills-runtime'
import { colonyError, messageOf } from '../errors.js'
import { beginMission } from '../mission/begin-mission.js'
import { MissionDriver } from '../mission/drive-mission.js'
import { endMission, PAUSED, pausedElsewhere } from '../mission/end-mission.js'
import { LiveMission, type MissionEnd, type MissionState } from '../mission/live-mission.js'
import { findMission, loadMission } from '../mission/load-mission.js'
import { awaitLease, type Claim, giveUpLease, keepLease } from '../mission/mission-lease.js'
import { performTask } from '../mission/perform-task.js'
import { LEAD_SKILL, leadSkill, roleSkills, type TaskParameters } from '../mission/role-skills.js'
import { workersMissing } from '../mission/run-on-workers.js'
import type { MissionServices } from '../mission/services.js'
import { VisitedMissions } from '../mission/visited-missions.js'
import { missionDiagram } from '../picture/mermaid.js'
import { missionText } from '../picture/text.js'
import { type ReplayReport, replayMission } from '../replay/replay-mission.js'
import { type MissionLease, missionLeasesCollection } from '../state/collections.js'
import { type ListedMission, listMissions, type MissionListFilter } from './list-missions.js'
import { type MissionProgress, type MissionResult, progressOf, resultOf } from './mission-status.js'
import {
  type ResumeMissionOptions,
  type RunMissionOptions,
  readResumeOptions,
  readRunOptions,
  requireMissionId,
  type TenantScope,
  tenantOf,
} from './run-options.js'
import { TenantMissions } from './tenant-missions.js'
import { watchMission } from './watch-mission.js'

interface Live {
  readonly mission: LiveMission
  readonly done: Promise<MissionResult>
}

/**
 * Runs missions: the envelope becomes a plan, each task runs as a subagent, and every stage reads and writes only
 * artifacts. Results are stored at once, so that a mission survives the process that runs it.
 */
export class MissionRunner {
  readonly #services: MissionServices
  readonly #live = new Map<string, Live>()
  /** Missions that `run` is about to store. */
  readonly #beginning = new Map<string, Promise<void>>()
  readonly #resuming = new Map<string, Promise<MissionResult>>()
  /** Watchers of the missions that run in this process, by mission. */
  readonly #watchers: TypedEmitter<Record<string, MissionProgress>>
  readonly #closing = new AbortController()
  /** Missions of other processes, some of whose tasks run here. */
  readonly #visited: VisitedMissions

  constructor(services: MissionServices) {
    this.#services = services
    this.#watchers = new TypedEmitter({
      onError: (error, mission_id) =>
        services.log.error('onProgress of a mission threw', { mission_id, error: messageOf(error) }),
    })
    this.#visited = new VisitedMissions(services)
    const perform = (parameters: TaskParameters, context: SkillContext) => this.#perform(parameters, context)
    const lead = async (missionId: string, tenantId: string) =>
      (await this.resume(missionId, { tenantId, workers: true })).status
    services.skills.registry.registerAll([...roleSkills(services.roles.names, perform), leadSkill(lead)])
  }

  /**
   * Runs a mission to its end and resolves to its result, even if it failed, was cancelled or used up a budget.
   * Throws `INVALID_ARTIFACT`, or `MISSION_EXISTS` when it was started before.
   */
  async run(envelope: MissionEnvelope, options: RunMissionOptions = {}): Promise<MissionResult> {
    return (await this.#launch(envelope, options)).done
  }

  /**
   * Starts a mission and resolves to its status once it is stored and running in this process. Throws as `run` does;
   * follow it with `watch` and `status`.
   */
  async start(envelope: MissionEnvelope, options: RunMissionOptions = {}): Promise<MissionProgress> {
    return progressOf((await this.#launch(envelope, options)).mission)
  }

  /**
   * Stores a mission and leaves all of it to workers on the store, which also lead it: it continues whatever happens to
   * this process, or to theirs. Resolves when it is stored. Throws as `run` does, and `WORKERS_MISSING`.
   */
  async submit(envelope: MissionEnvelope): Promise<MissionProgress> {
    this.#requireOpen()
    const { jobs } = this.#services
    if (jobs === undefined) throw workersMissing()
    const mission = this.#mission(await beginMission(this.#services, envelope))
    const { id, envelope: stored } = mission
    const { tenant_id } = stored
    await giveUpLease(this.#services, mission)
    await jobs.submit({
      id: `${id}:lead`,
      skill: LEAD_SKILL,
      params: { mission_id: id, tenant_id },
      tenant: tenant_id,
      weight: 0,
      maxDeliveries: 1000,
      maxRetries: 1000,
      metadata: { mission_id: id },
    })
    return this.status(id, { tenantId: tenant_id })
  }

  async #launch(envelope: MissionEnvelope, options: RunMissionOptions): Promise<Live> {
    this.#requireOpen()
    const settings = readRunOptions(options)
    const beginning = beginMission(this.#services, envelope)
    const id: unknown = (envelope as Partial<MissionEnvelope> | undefined)?.mission_id
    const begun = beginning.then(noop, noop)
    if (typeof id === 'string') this.#beginning.set(id, begun)
    try {
      return this.#start(await beginning, new Map(), settings)
    } finally {
      if (typeof id === 'string' && this.#beginning.get(id) === begun) this.#beginning.delete(id)
    }
  }

  /** The missions of one tenant; those of others are invisible. */
  forTenant(tenantId: string): TenantMissions {
    return new TenantMissions(this, tenantOf({ tenantId }))
  }

  /**
   * Continues a mission and resolves to its result. Completed tasks are not repeated; one that was running is retried
   * once the lease of its process has expired. While another process runs the mission, this one waits for it. A mission
   * that has ended stays as it is.
   */
  async resume(missionId: string, options: ResumeMissionOptions & TenantScope): Promise<MissionResult> {
    this.#requireOpen()
    const { retryFailed, ...settings } = readResumeOptions(options)
    const tenantId = tenantOf(options)
    requireMissionId(missionId)
    const live = await this.#liveIn(tenantId, missionId)
    if (live !== undefined) return live.done
    const key = `${tenantId} ${missionId}`
    const resuming = getOrInsert(this.#resuming, key, () => this.#resume(tenantId, missionId, settings, retryFailed))
    try {
      return await resuming
    } finally {
      this.#resuming.delete(key)
    }
  }

  /** A page of a tenant's missions, the newest first. With a `status`, a page may be short without being the last. */
  async list(given: MissionListFilter & TenantScope): Promise<Page<ListedMission>> {
    const { tenantId, ...filter } = takeOptions('A filter for missions', given)
    const { storage, contracts } = this.#services
    return listMissions(storage, contracts.store.forTenant(tenantOf({ tenantId })), filter)
  }

  /** The status of a mission. Throws `NOT_FOUND`. */
  async status(missionId: string, scope: TenantScope): Promise<MissionProgress> {
    const tenantId = tenantOf(scope)
    const live = await this.#liveIn(tenantId, missionId)
    if (live !== undefined) return progressOf(live.mission)
    const state = await this.#load(tenantId, missionId)
    const mission = this.#mission(state)
    const isActive = mission.run.status === 'running' && !isFree(state.lease, this.#services.clock)
    if (isActive) for (const taskId of (await this.#unendedAgents(missionId)).keys()) mission.running.add(taskId)
    if (mission.run.status === 'running' || mission.run.status === 'paused') {
      const waiting = (await this.#services.approvals?.waiting(missionId)) ?? []
      for (const { approval, task } of waiting) if (task !== null) mission.waiting.set(task, approval)
    }
    return progressOf(mission, isActive)
  }

  /** The status of a mission now and whenever it changes, until it has ended. */
  watch(missionId: string, scope: TenantScope): AsyncIterableIterator<MissionProgress> {
    return watchMission({
      current: () => this.status(missionId, scope),
      isLive: () => this.#live.has(missionId),
      on: (listener) => this.#watchers.on(missionId, listener),
      timers: this.#services.timers,
    })
  }

  /**
   * Pauses a mission: running tasks finish, no more are started, and `resume` continues it. A mission that is not
   * running stays as it is. Resolves when nothing of it runs in this process.
   */
  async pause(missionId: string, scope: TenantScope): Promise<MissionProgress> {
    return this.#end(missionId, tenantOf(scope), PAUSED)
  }

  /** Ends a mission: running tasks are aborted, artifacts are kept. A mission that has ended stays as it is. */
  async cancel(missionId: string, scope: TenantScope): Promise<MissionProgress> {
    return this.#end(missionId, tenantOf(scope), { status: 'cancelled', error: 'cancelled' })
  }

  /**
   * Derives every artifact again from those stored before it and the recorded answers, without calling a model or a
   * tool, and reports the first that differs. Nothing is written.
   */
  async replay(missionId: string, scope: TenantScope): Promise<ReplayReport> {
    return replayMission(this.#services, this.#mission(await this.#load(tenantOf(scope), missionId)))
  }

  /** The graph with the states of its tasks, as a Mermaid flowchart. */
  async toMermaid(missionId: string, scope: TenantScope): Promise<string> {
    return missionDiagram(await this.status(missionId, scope))
  }

  /** The graph with the states of its tasks, for terminals. */
  async toText(missionId: string, scope: TenantScope): Promise<string> {
    return missionText(await this.status(missionId, scope))
  }

  /** Stops starting tasks; running missions can be resumed at once, here or by another process. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const { mission } of this.#live.values()) {
      mission.interrupt()
      await giveUpLease(this.#services, mission).catch(noop)
    }
  }

  async #end(missionId: string, tenantId: string, end: MissionEnd): Promise<MissionProgress> {
    const live = await this.#liveIn(tenantId, missionId)
    if (live !== undefined) {
      if (end === PAUSED) live.mission.drain(end)
      else live.mission.stop(end)
      await live.done.catch(noop)
      return this.status(missionId, { tenantId })
    }
    await this.#require(tenantId, missionId)
    await endMission(this.#services, missionId, end)
    const agents = end === PAUSED ? [] : (await this.#unendedAgents(missionId)).values()
    for (const { agent_id } of agents) await this.#services.skills.cancel(agent_id).catch(noop)
    return this.status(missionId, { tenantId })
  }

  async #resume(
    tenantId: string,
    missionId: string,
    settings: RunMissionOptions,
    retryFailed: boolean,
    stale?: MissionLease,
  ): Promise<MissionResult> {
    await this.#require(tenantId, missionId)
    const claim = await this.#claim(tenantId, missionId, { retryFailed, stale }, settings.signal)
    const state = await this.#load(tenantId, missionId)
    if (claim.lease === undefined) return resultOf(this.#mission(state))
    return this.#start({ ...state, ...claim }, await this.#unendedAgents(missionId), settings).done
  }

  /** Waits for a mission until the app is closed. A caller that gives up cancels the mission. */
  async #claim(
    tenantId: string,
    missionId: string,
    options: { readonly retryFailed: boolean; readonly stale?: MissionLease | undefined },
    signal: AbortSignal | undefined,
  ): Promise<Claim> {
    const closing = this.#closing.signal
    const ending = signal ? AbortSignal.any([closing, signal]) : closing
    try {
      return await awaitLease(this.#services, missionId, { ...options, signal: ending })
    } catch (error) {
      this.#requireOpen()
      if (!signal?.aborted) throw error
      await this.cancel(missionId, { tenantId })
      return awaitLease(this.#services, missionId, { ...options, signal: closing })
    }
  }

  #start(state: MissionState, unended: ReadonlyMap<string, Subagent>, options: RunMissionOptions): Live {
    const { signal, onProgress, ...settings } = options
    const mission = this.#mission(state)
    const { concurrency, onFailure, maxAttempts, workers } = this.#services
    const stopTelling = onProgress && this.#watchers.on(mission.id, onProgress)
    const changed = () => {
      if (this.#watchers.listenerCount(mission.id) > 0) this.#watchers.emit(mission.id, progressOf(mission))
    }
    const chosen = { concurrency, onFailure, maxAttempts, workers, ...settings }
    const driver = new MissionDriver(this.#services, chosen, mission, unended, changed)
    const cancel = () => mission.stop({ status: 'cancelled', error: messageOf(signal?.reason) })
    const release = keepLease(this.#services, mission)
    const finished = cancelOnAbort(signal, cancel, () => this.#finish(mission, driver)).finally(async () => {
      release()
      this.#live.delete(mission.id)
      changed()
      stopTelling?.()
      // The store failed; a process that resumes the mission need not wait.
      if (mission.run.status === 'running') await giveUpLease(this.#services, mission).catch(noop)
    })
    const done = finished.then((result) => result ?? this.#follow(mission, options))
    // The caller receives the failure; no one else needs it.
    done.catch(noop)
    const live = { mission, done }
    this.#live.set(mission.id, live)
    return live
  }

  /** Resolves to `undefined` when the mission was interrupted, or another process ended it. */
  async #finish(mission: LiveMission, driver: MissionDriver): Promise<MissionResult | undefined> {
    const end = await driver.drive()
    if (end === undefined) return undefined
    const run =
      (await endMission(this.#services, mission.id, end, mission)) ??
      (await pausedElsewhere(this.#services, mission.id, end))
    if (run === undefined) return undefined
    mission.keepRun(run)
    return resultOf(mission)
  }

  /** Another process took over the mission and may have ended it, or died. Or the app was closed. */
  async #follow({ id, token, envelope }: LiveMission, settings: RunMissionOptions): Promise<MissionResult> {
    this.#requireOpen(`The app was closed while mission ${id} ran; resume it to continue.`)
    const lease = await this.#services.storage.get(missionLeasesCollection, id)
    return this.#resume(envelope.tenant_id, id, settings, false, lease?.token === token ? lease : undefined)
  }

  async #unendedAgents(missionId: string): Promise<Map<string, Subagent>> {
    const unended = new Map<string, Subagent>()
    const agents = await this.#services.skills.list({ state: ['running', 'paused'] })
    for (const agent of agents) {
      const { mission_id, task_id } = agent.metadata ?? {}
      if (mission_id === missionId && typeof task_id === 'string') unended.set(task_id, agent)
    }
    return unended
  }

  async #perform({ mission_id, task_id, role_type, attempt }: TaskParameters, context: SkillContext) {
    const mission = this.#live.get(mission_id)?.mission ?? (await this.#visited.visit(mission_id, task_id))
    if (mission === undefined || !this.#services.roles.names.includes(role_type)) {
      const message = `There is no mission ${mission_id} in this store; start it with the colony.`
      throw colonyError('MISSION_NOT_LIVE', message)
    }
    const which = { taskId: task_id, role: role_type, attempt: attempt + context.attempt - 1 }
    return performTask(this.#services, mission, which, context)
  }

  #mission(state: MissionState): LiveMission {
    return new LiveMission({ ...state, envelope: cloneJson(state.envelope) }, this.#services.clock)
  }

  /** The mission if it runs here, even if it is just being started. */
  async #liveIn(tenantId: string, missionId: string): Promise<Live | undefined> {
    await this.#beginning.get(missionId)
    const live = this.#live.get(missionId)
    return live?.mission.envelope.tenant_id === tenantId ? live : undefined
  }

  async #load(tenantId: string, missionId: string): Promise<MissionState> {
    const state = isId(missionId) ? await loadMission(this.#services, tenantId, missionId) : undefined
    return state ?? noSuchMission(tenantId, missionId)
  }

  async #require(tenantId: string, missionId: string): Promise<void> {
    const found = isId(missionId) ? await findMission(this.#services, tenantId, missionId) : undefined
    if (found === undefined) noSuchMission(tenantId, missionId)
  }

  #requireOpen(message = 'The app is closed; run missions in an open app.'): void {
    if (this.#closing.signal.aborted) throw colonyError('MISSION_INTERRUPTED', message)
  }
}

guardMethods(MissionRunner, { callsBack: true })

function noSuchMission(tenantId: string, missionId: unknown): never {
  const message = `Tenant "${tenantId}" has no mission ${quote(missionId)}; check the id, or list the missions of the tenant.`
  throw new MinionsError('NOT_FOUND', message)
}

function noop(): void {}
