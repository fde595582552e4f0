import type { Artifact } from '../../data/records.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import type { MissionViewProps } from './artifacts-view.tsx'
import { idOf, useArtifacts } from './use-artifacts.ts'

interface Claim {
  readonly claim: string
  readonly support_refs: readonly string[]
}

/** What a mission claims, and what supports each claim. */
export function EvidenceView({ mission, selected: chosen, onSelect }: MissionViewProps) {
  const artifacts = useArtifacts(mission.mission_id)
  const packet = artifacts.findLast(({ schema_name }) => schema_name === 'aggregation_packet')
  if (!packet) return <Empty title="No claims yet">The aggregator states them when the workers are done.</Empty>
  const claims = (packet.evidence_matrix ?? []) as readonly Claim[]
  const evidence = artifacts.find((artifact) => idOf(artifact) === chosen)
  return (
    <div className="columns">
      <Card title="Claims">
        {typeof packet.summary === 'string' && <p className="text">{packet.summary}</p>}
        <ul className="claims">
          {claims.map(({ claim, support_refs }) => (
            <li key={claim}>
              <span>{claim}</span>
              <div className="chips">
                {support_refs.map((reference) => (
                  <button
                    key={reference}
                    type="button"
                    className="small"
                    aria-pressed={reference === chosen}
                    onClick={() => onSelect(reference)}
                  >
                    {reference}
                  </button>
                ))}
              </div>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Evidence">
        {chosen === undefined && <p className="faint">Select a source below a claim to see it here.</p>}
        {chosen !== undefined && !evidence && (
          <p>
            <strong>{chosen}</strong> is not an artifact of this mission; it may be a record in another system.
          </p>
        )}
        {evidence && <Evidence artifact={evidence} />}
      </Card>
    </div>
  )
}

function Evidence({ artifact }: { readonly artifact: Artifact }) {
  return (
    <>
      <h3>{idOf(artifact)}</h3>
      {typeof artifact.output_text === 'string' && <p className="text">{artifact.output_text}</p>}
      <JsonView value={artifact} label="Artifact" />
    </>
  )
}
