import type { MissionProgress } from '../../data/records.ts'
import { Empty } from '../../parts/empty.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Time } from '../../parts/time.tsx'
import { Lineage } from './lineage.tsx'
import { cutKinds, idOf, useArtifacts } from './use-artifacts.ts'

/** A view of a mission in which one thing is selected, by its id. */
export interface MissionViewProps {
  readonly mission: MissionProgress
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
}

/** Everything that a mission made; one of them with where it comes from and what was made of it. */
export function ArtifactsView({ mission, selected, onSelect }: MissionViewProps) {
  const artifacts = useArtifacts(mission.mission_id)
  if (artifacts.length === 0)
    return <Empty title="No artifacts yet">Each task stores its artifacts when it completes.</Empty>
  const cut = cutKinds(artifacts)
  const chosen = artifacts.find((artifact) => idOf(artifact) === selected) ?? artifacts[0]
  return (
    <div className="columns">
      <ul className="card artifact-list" aria-label="Artifacts">
        {artifacts.map((artifact) => (
          <li key={`${artifact.schema_name} ${idOf(artifact)}`}>
            <button type="button" aria-pressed={artifact === chosen} onClick={() => onSelect(idOf(artifact))}>
              <span className="artifact-line">{idOf(artifact)}</span>
              <span className="artifact-line faint">
                {artifact.schema_name.replaceAll('_', ' ')}, {artifact.producer}, <Time at={artifact.created_at} />
              </span>
            </button>
          </li>
        ))}
        {cut.length > 0 && <li className="faint">Only the first thousand of: {cut.join(', ')}</li>}
      </ul>
      {chosen && (
        <div>
          <Lineage artifact={chosen} artifacts={artifacts} onSelect={onSelect} />
          <JsonView value={chosen} label="Artifact" />
        </div>
      )}
    </div>
  )
}
