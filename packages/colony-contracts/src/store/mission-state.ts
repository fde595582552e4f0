import { isId } from '@minions/core'
import type { Revised, StoreReader } from '@minions/core/storage'
import { internalReference } from '../mission/linkage-problems.js'
import { MissionIndex } from '../mission/mission-index.js'
import type { ArtifactRegistry } from '../registry/artifact-registry.js'
import type { Artifact, StoredArtifact } from '../schemas/artifact.js'
import { DECISION_TYPES } from '../schemas/policy-decision.js'
import { keyOf, type StoredKind } from './artifact-collection.js'
import { type StoredName, tasksCollection } from './collections.js'
import { GraphRevisions } from './graph-revisions.js'
import type { TaskRecord } from './records.js'

export type StoredKinds = ReadonlyMap<string, StoredKind>

/** What reads and writes of missions work with. */
export interface StoreParts {
  readonly storage: StoreReader
  readonly registry: ArtifactRegistry
  readonly kinds: StoredKinds
}

/** Maximum number of records per query: everything is read with one query per collection. */
export const EVERYTHING = 100_000

/** Stored tasks count as older than any graph, so that a new graph replaces them. */
const BEFORE_ANY_GRAPH = Number.NEGATIVE_INFINITY

/**
 * The known state of a stored mission, as far as a write depends on it. The revisions of two kinds of records tell
 * whether the rest is unchanged: that of the envelope changes with every graph, packet, review and decision on the
 * mission as a whole, that of a task with every package, pass and decision on the task.
 */
export class MissionState {
  readonly envelope: StoredArtifact<'mission_envelope'>
  readonly index: MissionIndex
  readonly graphs = new GraphRevisions()
  readonly tasks = new Map<string, Revised<TaskRecord>>()
  /** Revision of the envelope; undefined while it is not stored. */
  revision: string | undefined
  readonly #stored = new Map<string, StoredArtifact>()

  constructor(envelope: StoredArtifact<'mission_envelope'>, revision?: string) {
    this.envelope = envelope
    this.revision = revision
    this.index = new MissionIndex(envelope)
    if (revision !== undefined) this.addArtifact(envelope, envelope.mission_id)
  }

  find(name: string, id: string): StoredArtifact | undefined {
    return this.#stored.get(`${name} ${id}`)
  }

  addArtifact(artifact: StoredArtifact, id: string): void {
    const key = `${artifact.schema_name} ${id}`
    if (this.#stored.has(key)) return
    this.#stored.set(key, artifact)
    this.index.add(artifact, id)
  }

  addTask(task: Revised<TaskRecord>): void {
    this.tasks.set(task.record.task_id, task)
    this.index.addTasks([task.record], BEFORE_ANY_GRAPH)
  }
}

/** Loads a whole mission, with one query for each collection, however many artifacts are to be written. */
export async function loadMission(reader: StoreReader, state: MissionState, kinds: StoredKinds): Promise<void> {
  const where = { mission_id: state.envelope.mission_id }
  // Tasks are read before records that change their revision.
  for await (const task of reader.iterate(tasksCollection, { where, limit: EVERYTHING })) state.addTask(task)
  for (const [name, kind] of kinds) {
    if (name !== 'mission_envelope') await loadKind(reader, state, kind, where)
  }
}

/** Loads what the rules need for one artifact, with a bounded number of queries. */
export async function loadAround(
  reader: StoreReader,
  state: MissionState,
  kinds: StoredKinds,
  { artifact, id }: { readonly artifact: Artifact<string>; readonly id: string },
): Promise<void> {
  const known = artifact as Artifact
  const { mission_id } = known
  const load = (name: StoredName, where = {}) =>
    loadKind(reader, state, kinds.get(name) as StoredKind, { mission_id, ...where })
  const refer = (refs: readonly string[]) => loadReferences(reader, state, kinds, refs)
  const own = kinds.get(known.schema_name)
  if (own && known.schema_name !== 'mission_envelope') await loadIds(reader, state, own, [id])
  if (isId(artifact.task_id)) {
    const task = await reader.getRevised(tasksCollection, [mission_id, artifact.task_id])
    if (task) state.addTask(task)
  }
  switch (known.schema_name) {
    case 'research_artifact':
    case 'worker_result':
      await load('librarian_pass', { task_id: known.task_id })
      break
    case 'aggregation_packet':
      await refer(known.evidence_matrix.flatMap(({ support_refs }) => support_refs))
      break
    case 'review_packet':
      await load('aggregation_packet')
      await load('review_packet')
      await refer(known.parent_refs ?? [])
      break
    case 'policy_decision':
      if (known.decision_type === DECISION_TYPES.writeback && isId(known.subject))
        await loadIds(reader, state, kinds.get('writeback_proposal') as StoredKind, [known.subject])
      break
  }
}

async function loadKind(
  reader: StoreReader,
  state: MissionState,
  { collection, idField }: StoredKind,
  where: Readonly<Record<string, string>>,
): Promise<void> {
  for await (const { record } of reader.iterate(collection, { where, limit: EVERYTHING }))
    state.addArtifact(record, String(record[idField]))
}

/** References do not name their kind, so every kind is queried for those that are still missing. */
async function loadReferences(reader: StoreReader, state: MissionState, kinds: StoredKinds, refs: readonly string[]) {
  const internal = [...new Set(refs)].filter((ref) => internalReference.test(ref) && isId(ref))
  for (const [name, kind] of kinds) {
    const missing = internal.filter((ref) => !state.index.has(ref))
    if (name !== 'mission_envelope' && missing.length > 0) await loadIds(reader, state, kind, missing)
  }
}

async function loadIds(
  reader: StoreReader,
  state: MissionState,
  kind: StoredKind,
  ids: readonly string[],
): Promise<void> {
  const { mission_id } = state.envelope
  const found = await reader.getMany(
    kind.collection,
    ids.map((id) => keyOf(kind, mission_id, id)),
  )
  found.forEach((stored, position) => {
    if (stored) state.addArtifact(stored.record, ids[position] as string)
  })
}
