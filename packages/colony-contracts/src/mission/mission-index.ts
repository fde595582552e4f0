import { getOrInsert } from '@minions/core/json'
import { guardMethods, takeList } from '@minions/core/plugin'
import type { Artifact } from '../schemas/artifact.js'
import type { LibrarianPass } from '../schemas/librarian-pass.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { MissionTask } from '../schemas/mission-task-graph.js'
import { PassTimeline } from './pass-timeline.js'
import { ReviewTargets } from './review-targets.js'
import { instantOf } from './time.js'

interface KnownTask {
  readonly task: MissionTask
  readonly since: number
}

/** The parts of a mission that the rules between artifacts need. Artifacts can be added one by one. */
export class MissionIndex {
  readonly envelope: MissionEnvelope
  readonly #base: MissionIndex | undefined
  readonly #ids = new Set<string>()
  readonly #tasks = new Map<string, KnownTask>()
  readonly #passes = new Map<string, PassTimeline>()
  #reviews: ReviewTargets | undefined

  /** Starts empty, or as a copy of `base`. */
  constructor(envelope: MissionEnvelope, base?: MissionIndex) {
    this.envelope = envelope
    this.#base = base
  }

  get reviews(): ReviewTargets {
    return this.#reviews ?? this.#base?.reviews ?? this.#ownReviews()
  }

  /** Adds a valid artifact of this mission under its own id. */
  add(artifact: Artifact | Artifact<string>, id: string): void {
    const known = artifact as Artifact
    switch (known.schema_name) {
      case 'mission_envelope':
        return
      case 'mission_task_graph':
        this.addTasks(known.tasks, instantOf(known.created_at))
        return
      case 'librarian_pass':
        this.#ownPasses(known.task_id).add(known)
        break
      case 'aggregation_packet':
        this.#ownReviews().addPacket(known)
        break
      case 'review_packet':
        this.#ownReviews().addReview(known)
        break
    }
    this.#ids.add(id)
  }

  /** Adds tasks as described at some moment; a later description replaces them. */
  addTasks(tasks: readonly MissionTask[], since: number): void {
    for (const task of takeList('The tasks', tasks)) {
      const known = this.#find(task.task_id)
      if (!known || known.since <= since) this.#tasks.set(task.task_id, { task, since })
    }
  }

  /** True if an artifact has this id. */
  has(id: string): boolean {
    return this.#ids.has(id) || (this.#base?.has(id) ?? false)
  }

  /**
   * A task as the newest graph that has it describes it. A task that a later revision dropped is still known, since its
   * artifacts remain part of the mission.
   */
  task(taskId: string): MissionTask | undefined {
    return this.#find(taskId)?.task
  }

  /** True if the task had librarian passes and all of them had expired by then. */
  passesHadExpired(taskId: string, time: number): boolean {
    const own = this.#passes.get(taskId)
    return own ? own.hadExpiredAt(time) : (this.#base?.passesHadExpired(taskId, time) ?? false)
  }

  #find(taskId: string): KnownTask | undefined {
    const own = this.#tasks.get(taskId)
    return own === undefined && this.#base ? this.#base.#find(taskId) : own
  }

  #passesOf(taskId: string): readonly LibrarianPass[] {
    const own = this.#passes.get(taskId)?.passes
    return own === undefined && this.#base ? this.#base.#passesOf(taskId) : (own ?? [])
  }

  #ownPasses(taskId: string): PassTimeline {
    return getOrInsert(this.#passes, taskId, () => new PassTimeline(this.#passesOf(taskId)))
  }

  #ownReviews(): ReviewTargets {
    this.#reviews ??= new ReviewTargets(this.#base?.reviews)
    return this.#reviews
  }
}

// Lists of tasks have a limit of their own.
guardMethods(MissionIndex, { skipsInside: ['add', 'addTasks'] })
