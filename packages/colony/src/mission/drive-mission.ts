import { isOfKind, type MissionTask, type MissionTaskGraph } from '@minions/colony-contracts'
import { coreError, isMinionsError } from '@minions/core'
import { cancelOnAbort, LEASE_CHECKS, Mutex, sleep } from '@minions/core/coordination'
import { readClock } from '@minions/core/plugin'
import { unlessConflict } from '@minions/core/storage'
import type { SkillsErrorCode, Subagent } from '@minions/skills-runtime'
import { colonyError, messageOf } from '../errors.js'
import { missionRunsCollection, type TaskRun, taskRunsCollection } from '../state/collections.js'
import { type LiveMission, type MissionEnd, outOfTime, outOfTokens, PLAN } from './live-mission.js'
import { loadTask } from './load-task.js'
import { skillName, type TaskParameters } from './role-skills.js'
import { runOnWorkers } from './run-on-workers.js'
import type { MissionServices, MissionSettings } from './services.js'
import { TaskQueue } from './task-queue.js'

/** Codes of a run that was ended by another process or by closing the app. */
const ENDINGS: ReadonlySet<string> = new Set<SkillsErrorCode>(['CANCELLED', 'INTERRUPTED', 'CLOSED', 'LEASE_LOST'])

/**
 * Milliseconds after which a running task is stored with its own lease. Until then the lease of the mission protects
 * it: a process that takes over the mission starts the task again.
 */
const STORE_AFTER = 100

export class MissionDriver {
  readonly #services: MissionServices
  readonly #settings: MissionSettings
  readonly #mission: LiveMission
  readonly #queue: TaskQueue
  /** Subagents left by an earlier process, by task; each is resumed once. */
  readonly #unended: Map<string, Subagent>
  #active = 0
  /** Milliseconds during which all tasks waited. */
  #idleMs = 0
  #idleSince: number | undefined
  /** Tasks that may continue as soon as there is capacity. */
  readonly #ready: (() => void)[] = []
  #fill = () => {}
  readonly #planning = new Mutex()

  constructor(
    services: MissionServices,
    settings: MissionSettings,
    mission: LiveMission,
    unended: ReadonlyMap<string, Subagent>,
    onProgress: () => void,
  ) {
    this.#services = services
    this.#settings = settings
    this.#mission = mission
    this.#unended = new Map(unended)
    mission.changed = onProgress
    this.#queue = new TaskQueue(services.priority)
  }

  /** Resolves to the outcome of the mission; `undefined` if the app was closed in the meantime. */
  async drive(): Promise<MissionEnd | undefined> {
    const mission = this.#mission
    const cancel = this.#limitTime()
    try {
      const isPlanned = mission.graph !== undefined || (await this.#do(PLAN, 'planner'))
      if (isPlanned && !mission.stopped) await this.#doAll(mission.graph as MissionTaskGraph)
    } finally {
      cancel()
    }
    if (mission.end !== undefined || mission.interrupted) return mission.end
    return this.#outcome()
  }

  /** Stops the mission when its time is up; the returned function cancels the timer. */
  #limitTime(): () => void {
    const mission = this.#mission
    const { timers } = this.#services
    const end = timers.now() + mission.timeLeft
    if (!Number.isFinite(end)) return () => {}
    let cancel = () => {}
    const check = () => {
      const remaining = end + this.#idleMs - (this.#idleSince ?? timers.now())
      if (remaining <= 0) mission.stop(outOfTime(mission))
      else cancel = timers.set(remaining, check)
    }
    check()
    return () => cancel()
  }

  #outcome(): MissionEnd {
    if (this.#mission.overspent) return outOfTokens(this.#mission)
    const failed = [...this.#mission.taskRuns.values()].find(({ status }) => status === 'failed')
    if (failed === undefined) return { status: 'completed', error: null }
    const what = failed.task_id === PLAN ? 'The plan' : `Task "${failed.task_id}"`
    return { status: 'failed', error: `${what} failed: ${failed.error ?? 'unknown'}` }
  }

  #doAll(graph: MissionTaskGraph): Promise<void> {
    const mission = this.#mission
    this.#enqueue(graph, new Set([...mission.taskRuns.keys()].filter((id) => mission.isDone(id))))
    return new Promise((resolve, reject) => {
      const fill = () => {
        while (this.#active < this.#settings.concurrency) {
          const goOn = this.#ready.shift()
          if (goOn) {
            this.#active += 1
            goOn()
            continue
          }
          if (mission.stopped) break
          const task = this.#queue.next()
          if (task === undefined) break
          this.#active += 1
          this.#inTurn(task).then(() => {
            this.#active -= 1
            fill()
          }, reject)
        }
        if (this.#active === 0 && mission.waiting.size === 0) resolve()
      }
      this.#fill = fill
      fill()
    })
  }

  /** Planners run one after another, so that each sees the previous plan. */
  #inTurn(task: MissionTask): Promise<void> {
    return task.role_type === 'planner' ? this.#planning.run(() => this.#doTask(task)) : this.#doTask(task)
  }

  async #doTask(task: MissionTask): Promise<void> {
    const { task_id, role_type } = task
    const mission = this.#mission
    if (mission.stopped) return
    if (await this.#do(task_id, role_type)) {
      if (role_type === 'planner') await this.#replan()
      this.#queue.complete(task_id)
    } else if (!mission.stopped) {
      if (this.#settings.onFailure === 'fail') mission.stop(this.#outcome())
      mission.changed()
    }
  }

  /** A planner task may have added tasks. */
  async #replan(): Promise<void> {
    const { mission_id, tenant_id } = this.#mission.envelope
    const graph = await this.#services.contracts.store.forTenant(tenant_id).get(mission_id, 'mission_task_graph')
    if (graph === undefined) return
    this.#mission.adoptPlan(graph)
    this.#enqueue(graph)
  }

  /** Priorities may come from a user's function, which can throw. */
  #enqueue(graph: MissionTaskGraph, done?: ReadonlySet<string>): void {
    try {
      this.#queue.add(graph, done)
    } catch (error) {
      this.#mission.stop({
        status: 'failed',
        error: `The priority of a task could not be determined: ${messageOf(error)}`,
      })
    }
  }

  /** Performs a task in as many attempts as the policy allows; resolves to true if it was completed. */
  async #do(taskId: string, role: string): Promise<boolean> {
    const mission = this.#mission
    const attempt = (mission.taskRuns.get(taskId)?.attempt ?? 0) + 1
    try {
      for (;;) {
        mission.running.add(taskId)
        this.#countIdle()
        mission.changed()
        await this.#run({ mission_id: mission.id, task_id: taskId, role_type: role, attempt })
        const approval = mission.suspended.get(taskId)
        if (approval === undefined) break
        await this.#waitFor(taskId, approval)
        if (mission.stopped) return false
      }
      if (!mission.isDone(taskId)) await this.#adopt(taskId)
      const plan = taskId === PLAN ? mission.artifacts.get(PLAN)?.[0] : undefined
      if (plan && isOfKind(plan, 'mission_task_graph')) mission.adoptPlan(plan)
      return true
    } catch (error) {
      if (isMinionsError(error) && ENDINGS.has(error.code)) await this.#findEnding(error.code)
      if (!mission.stopped) await this.#fail(taskId, mission.attempts.get(taskId) ?? attempt, error)
      return false
    } finally {
      if (mission.running.delete(taskId) && mission.isDone(taskId)) mission.changed()
      this.#countIdle()
    }
  }

  /**
   * Waits until a person has decided. In the meantime nothing runs for the task, its capacity is free for others, and
   * if nothing else runs, the mission's clock is stopped.
   */
  async #waitFor(taskId: string, approval: string): Promise<void> {
    const mission = this.#mission
    mission.suspended.delete(taskId)
    mission.running.delete(taskId)
    mission.waiting.set(taskId, approval)
    this.#countIdle()
    mission.changed()
    this.#active -= 1
    this.#fill()
    try {
      await this.#services.approvals?.wait(approval, { signal: mission.waitSignal })
    } catch (error) {
      if (!mission.stopped && !coreError.is(error, 'CLOSED')) throw error
      if (!mission.stopped) mission.interrupt()
    } finally {
      const goOn = new Promise<void>((resolve) => this.#ready.push(resolve))
      mission.waiting.delete(taskId)
      this.#fill()
      await goOn
      this.#countIdle()
    }
  }

  #countIdle(): void {
    const now = this.#services.timers.now()
    if (this.#idleSince !== undefined) this.#idleMs += now - this.#idleSince
    this.#idleSince = this.#mission.isIdle ? now : undefined
    this.#mission.countIdle()
  }

  /** Determines why a run was ended from outside: the mission has ended, or the app is being closed. */
  async #findEnding(code: string): Promise<void> {
    const mission = this.#mission
    const run = await this.#services.storage.get(missionRunsCollection, mission.id).catch(() => undefined)
    if (run && run.status !== 'running') mission.stop({ status: run.status, error: run.error })
    else if (code !== 'CANCELLED') mission.interrupt()
  }

  /** Runs a task as a subagent. The runtime holds its lease and counts its retries. */
  async #run(parameters: TaskParameters): Promise<void> {
    const { onFailure, maxAttempts, workers } = this.#settings
    const maxRetries = onFailure === 'retry' ? maxAttempts - 1 : 0
    const { mission_id, task_id, role_type } = parameters
    if (workers) {
      const priority = this.#queue.priorityOf(task_id)
      return runOnWorkers(this.#services, this.#mission, parameters, { maxRetries, priority })
    }
    const earlier = this.#unended.get(task_id)
    this.#unended.delete(task_id)
    if (earlier !== undefined && (await this.#takeOver(earlier, maxRetries))) return
    const agent = { name: `${mission_id}/${task_id}`.slice(0, 100), metadata: { mission_id, task_id, role_type } }
    const { signal } = this.#mission
    const options = { agent, signal, maxRetries, storeAfter: STORE_AFTER, cleared: true }
    await this.#services.skills.execute(skillName(role_type), { ...parameters }, options)
  }

  /**
   * Continues a task that an earlier process began, under a new lease, once the old one has expired. Resolves to false
   * if that process was still alive and ended the task without a result.
   */
  async #takeOver({ agent_id }: Subagent, maxRetries: number): Promise<boolean> {
    const { skills, timers, leaseMs } = this.#services
    const cancel = () => void skills.cancel(agent_id).catch(() => undefined)
    const resume = async () => {
      await skills.resume(agent_id, { maxRetries, cleared: true })
      const agent = await skills.wait(agent_id)
      if (agent.state === 'failed') throw new Error(agent.error ?? 'unknown')
      return true
    }
    return cancelOnAbort(this.#mission.signal, cancel, async () => {
      for (;;) {
        if (await unlessConflict(resume())) return true
        const { state } = await skills.get(agent_id)
        if (state === 'completed' || state === 'failed') return state === 'completed'
        if (this.#mission.stopped) throw colonyError('MISSION_ENDED', 'The mission ended while it waited for a task.')
        await sleep(leaseMs / LEASE_CHECKS, timers)
      }
    })
  }

  /** Another process completed the task; its result counts. */
  async #adopt(taskId: string): Promise<void> {
    const taskRun = await loadTask(this.#services, this.#mission, taskId)
    if (taskRun?.status !== 'completed') throw new Error('its execution ended without a result')
  }

  async #fail(taskId: string, attempt: number, error: unknown): Promise<void> {
    const { storage, clock, log } = this.#services
    const mission = this.#mission
    const taskRun: TaskRun = {
      ...mission.ofTask(taskId),
      status: 'failed',
      attempt,
      at: readClock(clock),
      graph_revision: mission.graphRevision,
      agent_id: null,
      artifacts: [],
      error: messageOf(error),
    }
    log.warn('a task failed', { mission_id: mission.id, task_id: taskId, attempt, error: taskRun.error })
    const revision = await storage.put(taskRunsCollection, taskRun, mission.expectTask(taskId))
    mission.keepTaskRun({ record: taskRun, revision })
  }
}
