import { isId, type StoreReader } from '@minions/core'
import { internalReference } from '../mission/linkage-problems.js'
import { MissionIndex } from '../mission/mission-index.js'
import type { AnyArtifact, Artifact } from '../schemas/artifact.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import { DECISION_TYPES } from '../schemas/policy-decision.js'
import { keyOf, type StoredKind } from './artifact-collection.js'
import { type StoredName, tasksCollection } from './collections.js'
import type { StoredArtifact, TaskRecord } from './records.js'

export type StoredKinds = ReadonlyMap<string, StoredKind>

/** As many records as one question can give: what is read whole is read with one question for each collection. */
export const EVERYTHING = 100_000

/** Stored tasks count as the oldest graph, so that a graph about to be stored replaces them. */
const BEFORE_ANY_GRAPH = '0000-01-01T00:00:00Z'

/** What is stored of a mission, as far as a write has to look at it. */
export class MissionState {
  readonly index: MissionIndex
  readonly #stored = new Map<string, StoredArtifact>()

  constructor(envelope: MissionEnvelope) {
    this.index = new MissionIndex(envelope)
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

  addTasks(tasks: readonly TaskRecord[]): void {
    this.index.add(
      { schema_name: 'mission_task_graph', created_at: BEFORE_ANY_GRAPH, tasks } as unknown as Artifact,
      '',
    )
  }
}

/** Loads all of a mission, with one question for each collection, however many artifacts are to be written. */
export async function loadMission(reader: StoreReader, state: MissionState, kinds: StoredKinds): Promise<void> {
  const where = { mission_id: state.index.envelope.mission_id }
  for (const [name, kind] of kinds) {
    if (name !== 'mission_envelope') await loadKind(reader, state, kind, where)
  }
  const tasks: TaskRecord[] = []
  for await (const { record } of reader.iterate(tasksCollection, { where, limit: EVERYTHING })) tasks.push(record)
  state.addTasks(tasks)
}

/** Loads what the rules between artifacts look at for one artifact, with a bounded number of questions. */
export async function loadAround(
  reader: StoreReader,
  state: MissionState,
  kinds: StoredKinds,
  { artifact, id }: { readonly artifact: AnyArtifact; readonly id: string },
): Promise<void> {
  const known = artifact as Artifact
  const { mission_id } = known
  const load = (name: StoredName, where = {}) =>
    loadKind(reader, state, kinds.get(name) as StoredKind, { mission_id, ...where })
  const own = kinds.get(known.schema_name)
  if (own && known.schema_name !== 'mission_envelope') await loadIds(reader, state, own, [id])
  const taskId = (artifact as AnyArtifact).task_id
  if (isId(taskId)) {
    const task = await reader.get(tasksCollection, [mission_id, taskId])
    if (task) state.addTasks([task])
  }
  switch (known.schema_name) {
    case 'research_artifact':
    case 'worker_result':
      await load('librarian_pass', { task_id: known.task_id })
      break
    case 'aggregation_packet':
      await loadReferences(
        reader,
        state,
        kinds,
        known.evidence_matrix.flatMap(({ support_refs }) => support_refs),
      )
      break
    case 'review_packet':
      await load('aggregation_packet')
      await load('review_packet')
      await loadReferences(reader, state, kinds, known.parent_refs ?? [])
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

/** References do not say which kind they mean, so every kind is asked for those that are still missing. */
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
  const { mission_id } = state.index.envelope
  const found = await reader.getMany(
    kind.collection,
    ids.map((id) => keyOf(kind, mission_id, id)),
  )
  found.forEach((stored, position) => {
    if (stored) state.addArtifact(stored.record, ids[position] as string)
  })
}
