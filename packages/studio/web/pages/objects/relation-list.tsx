import { Link } from '@tanstack/react-router'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import type { Relation } from '../../data/records.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { orTell, tell } from '../../parts/toasts.tsx'
import { useTitles } from './use-titles.ts'

export interface RelationListProps {
  readonly title: string
  readonly relations: readonly Relation[]
  /** What to do where there are none. */
  readonly empty: string
  /** Which end is the other one. */
  readonly end: 'sourceId' | 'targetId'
}

/** Relations of an object; each leads to the other end. */
export function RelationList({ title, relations, empty, end }: RelationListProps) {
  const can = useCan()
  const titleOf = useTitles(relations.map((relation) => relation[end]))
  const unlink = ({ id, sourceId, targetId, type }: Relation) =>
    orTell(async () => {
      await call('relations.unlink', { id })
      tell('The relation was removed.', () => call('relations.link', { sourceId, targetId, type }))
    })
  return (
    <Card title={title}>
      {relations.length === 0 && <Empty title="No relations">{empty}</Empty>}
      <ul className="rows">
        {relations.map((relation) => (
          <li key={relation.id}>
            <Link to="/objects/$id" params={{ id: relation[end] }} search={{ view: 'relations' }}>
              {titleOf(relation[end])}
            </Link>
            <code>{relation.type}</code>
            {can('relations.unlink') && (
              <button
                type="button"
                className="small"
                aria-label={`Remove the relation to ${titleOf(relation[end])}`}
                onClick={() => unlink(relation)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
