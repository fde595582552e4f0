import type { AnyArtifact, Artifact } from '../schemas/artifact.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { MissionTask, MissionTaskGraph } from '../schemas/mission-task-graph.js'
import { PassTimeline } from './pass-timeline.js'
import { ReviewTargets } from './review-targets.js'
import { instantOf } from './time.js'

/** What of a mission the rules between artifacts look at. Artifacts can be added one by one. */
export class MissionIndex {
  readonly envelope: MissionEnvelope
  readonly reviews = new ReviewTargets()
  readonly #ids = new Set<string>()
  readonly #tasks = new Map<string, { readonly task: MissionTask; readonly since: number }>()
  readonly #passes = new Map<string, PassTimeline>()

  constructor(envelope: MissionEnvelope) {
    this.envelope = envelope
  }

  /** Adds a valid artifact of this mission under its own id. */
  add(artifact: Artifact | AnyArtifact, id: string): void {
    const known = artifact as Artifact
    switch (known.schema_name) {
      case 'mission_envelope':
        return
      case 'mission_task_graph':
        this.#addGraph(known)
        return
      case 'librarian_pass':
        this.#passesOf(known.task_id).add(known)
        break
      case 'aggregation_packet':
        this.reviews.addPacket(known)
        break
      case 'review_packet':
        this.reviews.addReview(known)
        break
    }
    this.#ids.add(id)
  }

  /** Whether an artifact has this id. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /**
   * A task as the newest graph that has it describes it. A task that a later revision dropped is still known, since what
   * was made for it remains part of the mission.
   */
  task(taskId: string): MissionTask | undefined {
    return this.#tasks.get(taskId)?.task
  }

  /** Whether the task had librarian passes and all of them had expired by then. */
  passesHadExpired(taskId: string, time: number): boolean {
    return this.#passes.get(taskId)?.hadExpiredAt(time) ?? false
  }

  #addGraph(graph: MissionTaskGraph): void {
    const since = instantOf(graph.created_at)
    for (const task of graph.tasks) {
      const known = this.#tasks.get(task.task_id)
      if (!known || known.since <= since) this.#tasks.set(task.task_id, { task, since })
    }
  }

  #passesOf(taskId: string): PassTimeline {
    const timeline = this.#passes.get(taskId) ?? new PassTimeline()
    this.#passes.set(taskId, timeline)
    return timeline
  }
}
