import type { PromptVersion } from '../../data/prompts.ts'
import type { Relation } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Graph } from '../../parts/graph/graph.tsx'

export interface VersionTreeProps {
  readonly versions: readonly PromptVersion[]
  readonly onSelect: (version: number) => void
}

/** Which version was derived from which; shown once there are several. */
export function VersionTree({ versions, onSelect }: VersionTreeProps) {
  const ids = versions.map(({ id }) => id)
  const { data } = useCall<Page<Relation>>('relations.find', {
    sourceIds: ids,
    types: ['follows'],
    limit: Math.max(1, ids.length),
  })
  if (versions.length < 2) return null
  return (
    <Card title="Version tree">
      <Graph
        label="Version tree"
        nodes={versions.map(({ id, version, published, fields }) => ({
          id,
          label: `Version ${version}`,
          detail: fields.changelog,
          ...(published && { state: 'published' }),
        }))}
        edges={(data?.items ?? []).map(({ sourceId, targetId }) => ({ from: targetId, to: sourceId }))}
        onSelect={(id) => {
          const chosen = versions.find((version) => version.id === id)
          if (chosen) onSelect(chosen.version)
        }}
      />
    </Card>
  )
}
