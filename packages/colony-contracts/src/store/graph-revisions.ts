import type { JsonObject, StoreTransaction } from '@minions/core'
import type { MissionTaskGraph } from '../schemas/mission-task-graph.js'
import { taskGraphsCollection, tasksCollection } from './collections.js'
import type { StoredArtifact, TaskGraphRecord, TaskRecord } from './records.js'

/** The revisions of a mission's graph: which are there, and those about to be stored with their tasks. */
export class GraphRevisions {
  readonly #missionId: string
  readonly #revisions = new Map<string, number>()
  readonly #graphs: TaskGraphRecord[] = []
  #last = 0

  constructor(missionId: string) {
    this.#missionId = missionId
  }

  /** Looks up which of these contents are stored already, and where numbering goes on. */
  async load(tx: StoreTransaction, hashes: readonly string[]): Promise<void> {
    const mission_id = this.#missionId
    const where = { mission_id, content_hash: { in: hashes } }
    for (const { content_hash, revision } of (await tx.find(taskGraphsCollection, { where, limit: hashes.length }))
      .items)
      this.#revisions.set(content_hash, revision)
    const latest = { where: { mission_id }, orderBy: [{ field: 'revision', direction: 'desc' as const }], limit: 1 }
    this.#last = (await tx.find(taskGraphsCollection, latest)).items[0]?.revision ?? 0
  }

  /** The revision that has this content. */
  find(hash: string): number | undefined {
    return this.#revisions.get(hash)
  }

  /** Makes a graph the next revision. */
  add(graph: StoredArtifact, hash: string): number {
    const { mission_id, tenant_id, actor_id, created_at, producer } = graph
    const revision = ++this.#last
    this.#revisions.set(hash, revision)
    this.#graphs.push({
      mission_id,
      tenant_id,
      actor_id,
      created_at,
      producer,
      revision,
      content_hash: hash,
      graph: graph as unknown as JsonObject,
    })
    return revision
  }

  /** Stores the new revisions, and their tasks as the last of them describes each. */
  async write(tx: StoreTransaction): Promise<void> {
    if (this.#graphs.length === 0) return
    const isFirst = this.#graphs[0]?.revision === 1
    const tasks = new Map(this.#graphs.flatMap(tasksOf).map((task) => [task.task_id, task]))
    await tx.putMany(taskGraphsCollection, this.#graphs, { ifAbsent: true })
    await tx.putMany(tasksCollection, [...tasks.values()], isFirst ? { ifAbsent: true } : undefined)
  }
}

function tasksOf({ graph, content_hash: _, revision, ...root }: TaskGraphRecord): TaskRecord[] {
  return (graph as unknown as MissionTaskGraph).tasks.map((task) => ({ ...task, ...root, graph_revision: revision }))
}
