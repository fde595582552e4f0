import { useNavigate } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { Minion, Relation } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Graph } from '../../parts/graph/graph.tsx'
import { NewRelation } from './new-relation.tsx'
import { relationEdges } from './relation-edges.ts'
import { RelationList } from './relation-list.tsx'
import { useTitles } from './use-titles.ts'

/** Relations that are shown of an object. */
const MOST = 200

/** What an object relates to, and what relates to it: as a graph to walk, and as lists to edit. */
export function ObjectRelations({ minion }: { readonly minion: Minion }) {
  const { id } = minion
  const can = useCan()
  const navigate = useNavigate()
  const { data: from } = useCall<Page<Relation>>('relations.find', { sourceIds: [id], limit: MOST })
  const { data: to } = useCall<Page<Relation>>('relations.find', { targetIds: [id], limit: MOST })
  const relations = [...(from?.items ?? []), ...(to?.items ?? []).filter(({ sourceId }) => sourceId !== id)]
  const ids = [...new Set([id, ...relations.flatMap(({ sourceId, targetId }) => [sourceId, targetId])])]
  const titleOf = useTitles(ids)
  const hint = can('relations.link')
    ? 'Link this object to another with “New relation”.'
    : 'This object links to no other.'
  const walk = (next: string) => {
    if (next !== id) void navigate({ to: '/objects/$id', params: { id: next }, search: { view: 'relations' } })
  }
  return (
    <>
      {from && to && relations.length > 0 && (
        <Graph
          key={id}
          label="Relations of the object"
          nodes={ids.map((each) => ({
            id: each,
            label: titleOf(each),
            detail: each === id ? 'this object' : undefined,
          }))}
          edges={relationEdges(relations)}
          selected={id}
          onSelect={walk}
        />
      )}
      {(from?.nextCursor ?? to?.nextCursor) !== undefined && (
        <p className="faint">There are more: only the first {MOST} in each direction are shown.</p>
      )}
      <div className="columns side">
        <div>
          <RelationList title="Outgoing" empty={hint} relations={from?.items ?? []} end="targetId" />
          <RelationList
            title="Incoming"
            empty="Other objects link here from their own page."
            relations={to?.items ?? []}
            end="sourceId"
          />
        </div>
        {can('relations.link') && !minion.deletedAt && <NewRelation id={id} />}
      </div>
    </>
  )
}
