import type { Artifact } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'

/** Names of the properties that hold an artifact's own id, by kind. */
const IDS = ['proposal_id', 'decision_id', 'packet_id', 'result_id', 'pass_id', 'artifact_id', 'package_id'] as const

/** The own id of an artifact; that of an envelope or graph is its kind. */
export function idOf(artifact: Artifact): string {
  const name = IDS.find((each) => typeof artifact[each] === 'string')
  return name === undefined ? artifact.schema_name : String(artifact[name])
}

/** Artifacts of each kind that are read. */
const MOST = 1000

/** Everything that a mission made, or one of its tasks, by time; of each kind at most the first thousand. */
export function useArtifacts(mission: string, task?: string): readonly Artifact[] {
  const { data } = useCall<Page<Artifact>>('artifacts.list', {
    mission,
    limit: MOST,
    ...(task !== undefined && { task }),
  })
  return (data?.items ?? []).toSorted((a, b) => a.created_at.localeCompare(b.created_at))
}

/** The kinds of which a mission may have more artifacts than were read. */
export function cutKinds(artifacts: readonly Artifact[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { schema_name } of artifacts) counts.set(schema_name, (counts.get(schema_name) ?? 0) + 1)
  return [...counts].flatMap(([kind, count]) => (count >= MOST ? [kind.replaceAll('_', ' ')] : []))
}
