import { Link } from '@tanstack/react-router'
import type { Minion, MinionType } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Time } from '../../parts/time.tsx'

const NEWEST = { orderBy: [{ field: 'updatedAt', direction: 'desc' }], limit: 8 }

export function RecentCard() {
  const { data, error } = useCall<Page<Minion>>('objects.find', NEWEST)
  const { data: types = [] } = useCall<readonly MinionType[]>('types.list')
  const items = data?.items ?? []
  return (
    <Card title="Recently updated" to="/objects" more="All objects" wide>
      <Failure title="The objects cannot be shown" error={error} />
      {data && items.length === 0 ? (
        <Empty title="No objects yet">They appear here as they are created.</Empty>
      ) : (
        <ul className="rows">
          {items.map(({ id, title, minionTypeId, updatedAt, updatedBy, createdBy }) => (
            <li key={id}>
              <Link to="/objects/$id" params={{ id }}>
                {title}
              </Link>
              <span className="faint">{types.find((type) => type.id === minionTypeId)?.name ?? minionTypeId}</span>
              <span className="faint">{updatedBy ?? createdBy}</span>
              <Time at={updatedAt} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
