import type { MissionEnvelope } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'

/** What a mission is for, and its limits; undefined until it is known. */
export function useEnvelope(mission: string): MissionEnvelope | undefined {
  return useCall<MissionEnvelope>('artifacts.get', { mission, kind: 'mission_envelope' }).data
}
