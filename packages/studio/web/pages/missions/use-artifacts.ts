import type { Artifact } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'

/** Names of the properties that hold an artifact's own id, by kind. */
const IDS = ['proposal_id', 'decision_id', 'packet_id', 'result_id', 'pass_id', 'artifact_id', 'package_id'] as const

/** The own id of an artifact; that of an envelope or graph is its kind. */
export function idOf(artifact: Artifact): string {
  const name = IDS.find((each) => typeof artifact[each] === 'string')
  return name === undefined ? artifact.schema_name : String(artifact[name])
}

/** Everything that a mission made, or one of its tasks, by time. */
export function useArtifacts(mission: string, task?: string): readonly Artifact[] {
  const { data } = useCall<Page<Artifact>>('artifacts.list', {
    mission,
    limit: 1000,
    ...(task !== undefined && { task }),
  })
  return (data?.items ?? []).toSorted((a, b) => a.created_at.localeCompare(b.created_at))
}
