import { cloneJson } from '@minions/core/json'
import { answersCollection, missionRunsCollection, taskRunsCollection } from '../state/collections.js'
import { LiveMission, PLAN } from './live-mission.js'
import { loadMission } from './load-mission.js'
import { loadTask } from './load-task.js'
import type { MissionServices } from './services.js'
import { tasksBefore } from './task-view.js'

/** Maximum number of missions kept in memory, each with the artifacts of its tasks. */
const MOST_MISSIONS = 16
/** Tasks that are read one by one before the mission is read as a whole. */
const MOST_TASKS = 20

/**
 * Missions that another process leads and some of whose tasks run here. A task sees only the artifacts of its
 * dependencies, so only those have to be up to date.
 */
export class VisitedMissions {
  readonly #services: MissionServices
  readonly #missions = new Map<string, LiveMission>()

  constructor(services: MissionServices) {
    this.#services = services
  }

  /** The mission, as a task needs it; undefined when there is no such mission. */
  async visit(missionId: string, taskId: string): Promise<LiveMission | undefined> {
    const known = this.#missions.get(missionId)
    if (known && !known.stopped && (await this.#refresh(known, taskId))) return known
    this.#missions.delete(missionId)
    const mission = await this.#load(missionId)
    if (mission === undefined) return undefined
    this.#missions.set(missionId, mission)
    const [oldest] = this.#missions.keys()
    if (this.#missions.size > MOST_MISSIONS && oldest !== undefined) this.#missions.delete(oldest)
    return mission
  }

  async #load(missionId: string): Promise<LiveMission | undefined> {
    const { storage, clock } = this.#services
    const run = await storage.get(missionRunsCollection, missionId)
    const state = run && (await loadMission(this.#services, run.tenant_id, missionId))
    return state && new LiveMission({ ...state, envelope: cloneJson(state.envelope) }, clock)
  }

  /** Reads what has changed; resolves to false if reading the whole mission is better. */
  async #refresh(mission: LiveMission, taskId: string): Promise<boolean> {
    const { storage } = this.#services
    const run = await storage.getRevised(missionRunsCollection, mission.id)
    if (run === undefined) return false
    mission.keepRun(run)
    if (taskId === PLAN) return true
    const { graph } = mission
    const task = graph && mission.taskIn(graph, taskId)
    if (graph === undefined || task === undefined) return false
    const unknown = [taskId, ...tasksBefore(mission, graph, task)].filter((id) => !mission.isDone(id))
    if (unknown.length > MOST_TASKS) return false
    const found = await storage.getMany(
      taskRunsCollection,
      unknown.map((id) => [mission.id, id]),
    )
    for (const [index, id] of unknown.entries()) {
      if (found[index] === undefined) continue
      const loaded = await loadTask(this.#services, mission, id)
      // A planner has replaced the graph.
      if (loaded?.artifacts.some(({ revision }) => revision !== undefined)) return false
    }
    if (mission.envelope.token_budget !== undefined) {
      const where = { mission_id: mission.id }
      for await (const { record } of storage.iterate(answersCollection, { where, limit: 1000 })) mission.keep(record)
    }
    return true
  }
}
