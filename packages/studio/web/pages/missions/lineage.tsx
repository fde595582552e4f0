import type { Artifact } from '../../data/records.ts'
import { Card } from '../../parts/card.tsx'
import { referencesOf } from './references.ts'
import { idOf } from './use-artifacts.ts'

export interface LineageProps {
  readonly artifact: Artifact
  readonly artifacts: readonly Artifact[]
  readonly onSelect: (artifact: string) => void
}

/** What an artifact rests on, and what rests on it. */
export function Lineage({ artifact, artifacts, onSelect }: LineageProps) {
  const inputs = artifacts.filter(
    (other) => other !== artifact && other.task_id !== undefined && other.task_id === artifact.task_id,
  )
  const sources = [...new Set([...referencesOf(artifact, artifacts), ...inputs.filter(isInput)])]
  const uses = artifacts.filter((other) => referencesOf(other, artifacts).includes(artifact))
  return (
    <Card title={`Lineage of ${idOf(artifact)}`}>
      <h3>Based on</h3>
      <Chips artifacts={sources} onSelect={onSelect} />
      <h3>Used by</h3>
      <Chips artifacts={uses} onSelect={onSelect} />
    </Card>
  )
}

/** What a task is given before it begins. */
function isInput({ schema_name }: Artifact): boolean {
  return schema_name === 'prompt_package' || schema_name === 'librarian_pass'
}

function Chips({ artifacts, onSelect }: Omit<LineageProps, 'artifact'>) {
  if (artifacts.length === 0) return <p className="faint">No artifacts of this mission.</p>
  return (
    <div className="chips">
      {artifacts.map((artifact) => (
        <button key={idOf(artifact)} type="button" className="small" onClick={() => onSelect(idOf(artifact))}>
          {idOf(artifact)}
        </button>
      ))}
    </div>
  )
}
