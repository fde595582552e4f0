import { randomUUID } from 'node:crypto'
import type { Artifact, ColonyStore } from '../../src/index.js'
import type { Json } from './edit.js'
import { artifactsOf, linkedMission, type Mission } from './mission.js'

export const TENANT = 'tenant_velocity'
export const PROPOSAL = 'wb_001'

/** The ten examples as a mission of their own. */
export function newMission(missionId: string = randomUUID()): Mission {
  const mission = linkedMission()
  for (const artifact of Object.values(mission) as Json[]) artifact.mission_id = missionId
  return mission
}

/** Stores a mission, except the kinds left out. */
export async function storeMission(
  store: ColonyStore,
  mission: Mission = newMission(),
  leftOut: readonly (keyof Mission)[] = [],
): Promise<Mission> {
  const kept = artifactsOf(mission).filter(({ schema_name }) => !leftOut.includes(schema_name))
  await store.putMany(kept)
  return mission
}

/** An edited artifact, to be put. */
export function changed(artifact: Json, changes: Json): Artifact<string> {
  return { ...artifact, ...changes } as unknown as Artifact<string>
}
