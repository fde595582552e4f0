import { MinionsError, quote } from '@minions/core'
import { inKeyOrder, jsonEqual } from '@minions/core/json'
import { issuesBelow } from '@minions/core/schema'
import type { WriteBatch } from '@minions/core/storage'
import { artifactHash } from '../mission/identity.js'
import { linkageProblems } from '../mission/linkage-problems.js'
import { MissionIndex } from '../mission/mission-index.js'
import { instantOf } from '../mission/time.js'
import { POLICY_GATE_PRODUCER } from '../policy/latest-decision.js'
import { type Artifact, isOfKind, type StoredArtifact } from '../schemas/artifact.js'
import { missionsCollection, taskGraphsCollection, tasksCollection } from './collections.js'
import { GraphRevisions } from './graph-revisions.js'
import { type Incoming, invalid } from './incoming.js'
import type { MissionState, StoredKinds } from './mission-state.js'
import { PutResult } from './put-result.js'
import type { TaskRecord } from './records.js'

/** An artifact of a stored, or about to be stored, mission, with what is known about it. */
export interface PlannedArtifact {
  /** As received, which is what the rules apply to. */
  readonly source: Artifact<string>
  readonly artifact: StoredArtifact
  readonly id: string
  readonly pointer: string
  hash?: string
  created: boolean
  revision?: number
}

/**
 * The writes that store artifacts of one mission, planned from its known state. Everything is checked before anything
 * is written. Throws `LINKAGE_VIOLATION`, or `CONFLICT` for different content under an id that is taken.
 */
export class PutPlan {
  readonly #state: MissionState
  readonly #kinds: StoredKinds
  readonly #items: readonly PlannedArtifact[]
  readonly #graphs: GraphRevisions
  readonly #added = new Map<string, StoredArtifact>()
  /** Follow-up work after the last batch was written. */
  #stored: (() => void)[] = []

  constructor(state: MissionState, kinds: StoredKinds, items: readonly PlannedArtifact[]) {
    this.#state = state
    this.#kinds = kinds
    this.#graphs = new GraphRevisions(state.graphs)
    this.#items = items
    const index = new MissionIndex(state.envelope, state.index)
    this.#addGraphs(index)
    for (const item of this.#items) if (!isGraph(item)) this.#addArtifact(item, index)
    const problems = this.#fresh.flatMap(({ source, pointer }) => issuesBelow(pointer, linkageProblems(source, index)))
    if (problems.length > 0) throw invalid('LINKAGE_VIOLATION', 'is inconsistent with its mission', problems)
  }

  get results(): PutResult[] {
    return this.#items.map((item) => new PutResult(item))
  }

  /**
   * Adds the writes to a batch. With `checked`, for a batch outside a transaction, it is refused when the state the
   * plan depends on has changed.
   */
  addTo(batch: WriteBatch, { checked }: { readonly checked: boolean }): void {
    this.#stored = []
    const { mission_id } = this.#state.envelope
    // In the order of the kinds, targets of references come first, which databases check faster.
    for (const [name, { collection }] of this.#kinds) {
      for (const { artifact, id } of this.#fresh) {
        if (artifact.schema_name !== name) continue
        const revision = batch.put(collection, artifact, { ifAbsent: true })
        this.#stored.push(() => {
          if (name === 'mission_envelope') this.#state.revision = revision
          this.#state.addArtifact(artifact, id)
        })
      }
      if (name === 'mission_envelope') this.#putGraphs(batch)
    }
    const replaced = this.#putTasks(batch)
    this.#touch(batch)
    if (!checked) return
    for (const taskId of this.#dependsOnTasks()) {
      const known = this.#state.tasks.get(taskId)
      if (known && !replaced.has(taskId)) {
        batch.check(tasksCollection, [mission_id, taskId], { ifRevision: known.revision })
      }
    }
  }

  /** Applies the plan to the known state after the batch was written. */
  stored(): void {
    for (const callback of this.#stored) callback()
    this.#stored = []
  }

  get #fresh(): readonly PlannedArtifact[] {
    return this.#items.filter(({ created }) => created)
  }

  /** A graph is identified by its content; a new one is the next revision, oldest first. */
  #addGraphs(index: MissionIndex): void {
    const graphs = this.#items.filter(isGraph)
    const inOrder = graphs.sort((a, b) => instantOf(a.artifact.created_at) - instantOf(b.artifact.created_at))
    for (const item of inOrder) {
      const { artifact, id, hash = '' } = item
      const known = this.#graphs.find(hash)
      item.created = known === undefined
      item.revision = known ?? this.#graphs.last + 1
      if (!item.created) continue
      this.#graphs.add(hash, item.revision)
      index.add(artifact, id)
    }
  }

  #addArtifact(item: PlannedArtifact, index: MissionIndex): void {
    const { artifact, id } = item
    const key = `${artifact.schema_name} ${id}`
    const known = this.#added.get(key) ?? this.#state.find(artifact.schema_name, id)
    if (!known) {
      this.#added.set(key, artifact)
      index.add(artifact, id)
      item.created = true
    } else if (!jsonEqual(known, artifact)) throw otherContent(known, artifact, id)
  }

  #putGraphs(batch: WriteBatch): void {
    for (const { artifact, hash = '', revision = 0 } of this.#fresh) {
      if (!isOfKind(artifact, 'mission_task_graph')) continue
      const graph = { ...rootOf(artifact), revision, content_hash: hash, graph: artifact }
      batch.put(taskGraphsCollection, graph, { ifAbsent: true })
      this.#stored.push(() => {
        this.#state.graphs.add(hash, revision)
        this.#state.index.add(artifact, artifact.mission_id)
      })
    }
  }

  /** Writes the tasks of new graphs, as described by the last of them, and those whose policy changes. */
  #putTasks(batch: WriteBatch): Set<string> {
    const tasks = new Map<string, TaskRecord>()
    for (const { artifact, revision = 0 } of this.#fresh) {
      if (!isOfKind(artifact, 'mission_task_graph')) continue
      const root = { ...rootOf(artifact), graph_revision: revision }
      for (const task of artifact.tasks) tasks.set(task.task_id, { ...task, ...root })
    }
    for (const taskId of this.#affectedTasks()) {
      const known = this.#state.tasks.get(taskId)
      if (known && !tasks.has(taskId)) tasks.set(taskId, known.record)
    }
    for (const [taskId, record] of tasks) {
      const known = this.#state.tasks.get(taskId)
      const revision = batch.put(tasksCollection, record, known && { ifRevision: known.revision })
      this.#stored.push(() => this.#state.addTask({ record, revision }))
    }
    return new Set(tasks.keys())
  }

  /** Gives the envelope a new revision when something concerning the whole mission was added. */
  #touch(batch: WriteBatch): void {
    const { revision: ifRevision, envelope } = this.#state
    if (ifRevision === undefined || !this.#fresh.some(concernsMission)) return
    const revision = batch.put(missionsCollection, envelope, { ifRevision })
    this.#stored.push(() => {
      this.#state.revision = revision
    })
  }

  #affectedTasks(): string[] {
    return this.#fresh.filter(concernsPolicy).flatMap(({ artifact: { task_id } }) => asTask(task_id))
  }

  #dependsOnTasks(): string[] {
    return this.#fresh.flatMap(({ artifact }) => (DEPENDENT.has(artifact.schema_name) ? asTask(artifact.task_id) : []))
  }
}

function rootOf({ mission_id, tenant_id, actor_id, created_at, producer }: StoredArtifact<'mission_task_graph'>) {
  return { mission_id, tenant_id, actor_id, created_at, producer }
}

/** Kinds whose rules read the passes of their task. */
const DEPENDENT: ReadonlySet<string> = new Set(['research_artifact', 'worker_result'])

/** Kinds that determine what a task, or every task, may do; verdicts recorded by the gate are not among them. */
function concernsPolicy({ artifact: { schema_name, producer } }: PlannedArtifact): boolean {
  if (schema_name === 'policy_decision') return producer !== POLICY_GATE_PRODUCER
  return schema_name === 'prompt_package' || schema_name === 'librarian_pass'
}

function concernsMission(item: PlannedArtifact): boolean {
  const { schema_name, task_id } = item.artifact
  if (schema_name === 'policy_decision') return concernsPolicy(item) && task_id === undefined
  return schema_name === 'mission_task_graph' || schema_name === 'aggregation_packet' || schema_name === 'review_packet'
}

function asTask(taskId: unknown): string[] {
  return typeof taskId === 'string' ? [taskId] : []
}

/**
 * Artifacts as they will be stored. Tenant and actor are filled in; the rules check given ones against the envelope.
 * The names are in the order in which the store returns them.
 */
export function plannedArtifacts(
  incoming: readonly Incoming[],
  { tenant_id, actor_id }: StoredArtifact<'mission_envelope'>,
): PlannedArtifact[] {
  return incoming.map(({ artifact: source, id, pointer }) => {
    const artifact = inKeyOrder({ tenant_id, actor_id, ...source })
    const item = { source, artifact, id, pointer, created: false }
    return isGraph(item) ? { ...item, hash: artifactHash(artifact) } : item
  })
}

function isGraph({ artifact }: Pick<PlannedArtifact, 'artifact'>): boolean {
  return artifact.schema_name === 'mission_task_graph'
}

function otherContent(known: StoredArtifact, given: StoredArtifact, id: string): Error {
  const { schema_name, mission_id } = given
  if (schema_name === 'mission_envelope' && known.tenant_id !== given.tenant_id) return missionTaken(mission_id)
  const hashes = { currentHash: artifactHash(known), givenHash: artifactHash(given) }
  const message = `Mission ${mission_id} already has a ${schema_name} ${quote(id)} with different content; artifacts are immutable, so choose another id.`
  return new MinionsError('CONFLICT', message, { details: { mission_id, schema_name, id, ...hashes } })
}

/** Says nothing about the mission, which belongs to another tenant. */
export function missionTaken(mission_id: string): Error {
  return new MinionsError('CONFLICT', `The mission id ${mission_id} is taken; choose another one.`, {
    details: { mission_id },
  })
}
