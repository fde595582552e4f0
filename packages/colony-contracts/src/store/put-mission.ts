import { inKeyOrder, jsonEqual, MinionsError, type StoreTransaction } from '@minions/core'
import { artifactHash } from '../mission/identity.js'
import { linkageProblems } from '../mission/linkage-problems.js'
import { instantOf } from '../mission/time.js'
import type { AnyArtifact } from '../schemas/artifact.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import { problem, quote } from '../validation/problem.js'
import { missionsCollection } from './collections.js'
import { GraphRevisions } from './graph-revisions.js'
import { type Incoming, invalid } from './incoming.js'
import { loadAround, loadMission, MissionState, type StoredKinds } from './mission-state.js'
import type { StoredArtifact } from './records.js'

/** What became of an artifact that was put. */
export class PutResult {
  /** As it is stored, with tenant and actor. */
  readonly artifact: StoredArtifact
  /** False when the same content was there already. */
  readonly created: boolean
  /** The revision of a task graph, from 1. */
  readonly revision: number | undefined
  #hash: string | undefined

  constructor({ artifact, created, revision, hash }: Item) {
    this.artifact = artifact
    this.created = created
    this.revision = revision
    this.#hash = hash
  }

  /** SHA-256 of its canonical JSON. It takes longer than the rest of storing an artifact, so it waits to be asked for. */
  get hash(): string {
    this.#hash ??= artifactHash(this.artifact)
    return this.#hash
  }
}

/**
 * Stores artifacts of one mission. Everything is looked at before anything is written, and one artifact costs as many
 * questions as a thousand. Throws `LINKAGE_VIOLATION`, or `CONFLICT` for other content under an id that is taken.
 */
export async function putMission(
  tx: StoreTransaction,
  kinds: StoredKinds,
  incoming: readonly Incoming[],
): Promise<PutResult[]> {
  const missionId = incoming[0]?.artifact.mission_id ?? ''
  const stored = await tx.get(missionsCollection, missionId)
  const envelope = stored ?? incoming.find(({ artifact }) => artifact.schema_name === 'mission_envelope')?.artifact
  if (!envelope) throw orphans(incoming)
  const state = new MissionState(envelope as unknown as MissionEnvelope)
  if (stored) {
    state.addArtifact(stored, missionId)
    const [first] = incoming
    if (incoming.length === 1 && first) await loadAround(tx, state, kinds, first)
    else await loadMission(tx, state, kinds)
  }
  const items = incoming.map((item) => toItem(item, state.index.envelope))
  const graphs = new GraphRevisions(missionId)
  await addGraphs(tx, items.filter(isGraph), graphs, state, stored !== undefined)
  for (const item of items) if (!isGraph(item)) add(item, state)

  const fresh = items.filter(({ created }) => created)
  const problems = fresh.flatMap(({ source, pointer }) =>
    linkageProblems(source, state.index).map((each) => ({ ...each, pointer: pointer + each.pointer })),
  )
  if (problems.length > 0) throw invalid('LINKAGE_VIOLATION', 'does not fit into its mission', problems)

  // In the order of the kinds, what is referred to comes first, which databases check faster.
  for (const [name, { collection }] of kinds) {
    const records = fresh.filter(({ artifact }) => artifact.schema_name === name).map(({ artifact }) => artifact)
    if (records.length > 0) await tx.putMany(collection, records, { ifAbsent: true })
    if (name === 'mission_envelope') await graphs.write(tx)
  }
  return items.map((item) => new PutResult(item))
}

/** An artifact with what is found out about it. */
interface Item {
  /** As it came, which is what the rules are about. */
  readonly source: AnyArtifact
  readonly artifact: StoredArtifact
  readonly id: string
  readonly pointer: string
  hash?: string
  created: boolean
  revision?: number
}

/**
 * Fills in tenant and actor; that they are the envelope's where they were given is for the rules to say. The names are in
 * the order in which the store will give them back.
 */
function toItem({ artifact: source, id, pointer }: Incoming, { tenant_id, actor_id }: MissionEnvelope): Item {
  return { source, artifact: inKeyOrder({ tenant_id, actor_id, ...source }), id, pointer, created: false }
}

function isGraph({ artifact }: Item): boolean {
  return artifact.schema_name === 'mission_task_graph'
}

/** A graph is known by its content; one that is new is the next revision, the oldest first. */
async function addGraphs(
  tx: StoreTransaction,
  items: readonly Item[],
  graphs: GraphRevisions,
  state: MissionState,
  isStored: boolean,
): Promise<void> {
  if (items.length === 0) return
  for (const item of items) item.hash = artifactHash(item.artifact)
  if (isStored)
    await graphs.load(
      tx,
      items.map(({ hash = '' }) => hash),
    )
  const inOrder = [...items].sort((a, b) => instantOf(a.artifact.created_at) - instantOf(b.artifact.created_at))
  for (const item of inOrder) {
    const { artifact, hash = '' } = item
    const known = graphs.find(hash)
    item.created = known === undefined
    item.revision = known ?? graphs.add(artifact, hash)
    if (item.created) state.index.add(artifact, item.id)
  }
}

function add(item: Item, state: MissionState): void {
  const { artifact, id } = item
  const known = state.find(artifact.schema_name, id)
  if (!known) {
    state.addArtifact(artifact, id)
    item.created = true
  } else if (!jsonEqual(known, artifact)) {
    const { schema_name, mission_id } = artifact
    const hashes = { currentHash: artifactHash(known), givenHash: artifactHash(artifact) }
    throw new MinionsError(
      'CONFLICT',
      `Mission ${mission_id} has a ${schema_name} ${quote(id)} with other content; artifacts do not change, so choose another id.`,
      { details: { mission_id, schema_name, id, ...hashes } },
    )
  }
}

function orphans(incoming: readonly Incoming[]): Error {
  const problems = incoming.map(({ artifact, pointer }) =>
    problem(`${pointer}/mission_id`, 'ORPHAN', `the envelope of mission ${artifact.mission_id} is not stored`),
  )
  return invalid('LINKAGE_VIOLATION', 'has no mission', problems)
}
