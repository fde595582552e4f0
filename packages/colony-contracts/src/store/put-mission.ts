import { inKeyOrder } from '@minions/core/json'
import { type StoreTransaction, WriteBatch } from '@minions/core/storage'
import { isOfKind } from '../schemas/artifact.js'
import { problem } from '../validation/problem.js'
import { missionsCollection } from './collections.js'
import { type Incoming, invalid } from './incoming.js'
import { loadAround, loadMission, MissionState, type StoredKinds } from './mission-state.js'
import { missionTaken, PutPlan, plannedArtifacts } from './put-plan.js'

/**
 * Stores artifacts of one mission as part of a transaction; one artifact costs as many queries as a thousand. For a
 * tenant, a mission of another one does not exist, except that its id is taken. Throws `LINKAGE_VIOLATION`, or
 * `CONFLICT` for different content under an id that is taken.
 */
export async function putMission(
  tx: StoreTransaction,
  kinds: StoredKinds,
  incoming: readonly Incoming[],
  tenantId?: string,
): Promise<PutPlan> {
  const missionId = incoming[0]?.artifact.mission_id ?? ''
  const stored = await tx.getRevised(missionsCollection, missionId)
  const isForeign = stored !== undefined && tenantId !== undefined && stored.record.tenant_id !== tenantId
  const state = stored && !isForeign ? new MissionState(stored.record, stored.revision) : newState(incoming)
  if (isForeign) throw missionTaken(missionId)
  const items = plannedArtifacts(incoming, state.envelope)
  if (stored) {
    const [first] = incoming
    if (incoming.length === 1 && first) await loadAround(tx, state, kinds, first)
    else await loadMission(tx, state, kinds)
    const hashes = items.flatMap(({ hash }) => (hash === undefined ? [] : [hash]))
    if (hashes.length > 0) await state.graphs.load(tx, missionId, hashes)
  }
  const plan = new PutPlan(state, kinds, items)
  const batch = new WriteBatch()
  plan.addTo(batch, { checked: false })
  await tx.write(batch)
  plan.stored()
  return plan
}

/** The state of a mission of which nothing is stored. Throws `LINKAGE_VIOLATION` without an envelope. */
export function newState(incoming: readonly Incoming[]): MissionState {
  for (const { artifact } of incoming)
    if (isOfKind(artifact, 'mission_envelope')) return new MissionState(inKeyOrder(artifact))
  const problems = incoming.map(({ artifact, pointer }) =>
    problem(`${pointer}/mission_id`, 'ORPHAN', `the envelope of mission ${artifact.mission_id} is not stored`),
  )
  throw invalid('LINKAGE_VIOLATION', 'has no mission', problems)
}
