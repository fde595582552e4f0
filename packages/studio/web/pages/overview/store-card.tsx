import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { MinionType } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useCounts } from './use-counts.ts'

export function StoreCard() {
  const can = useCan()
  const { data: types = [], error: unlisted } = useCall<readonly MinionType[]>('types.list')
  const { counts, error = unlisted } = useCounts(types)
  const filled = (counts ?? []).filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
  const total = filled.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card title="In the store" to="/objects" more="All objects">
      <Failure title="The objects cannot be counted" error={error} />
      {counts === undefined && !error && <p role="status">Counting …</p>}
      {counts !== undefined && filled.length === 0 && (
        <Empty title="The store is empty">
          {can('objects.create') ? (
            <Link to="/objects/new" search={{ type: 'note' }}>
              Write the first note
            </Link>
          ) : (
            'This key cannot write; ask for one that can.'
          )}
        </Empty>
      )}
      {filled.length > 0 && (
        <>
          <p className="figure">
            {total.toLocaleString()} <span className="faint">{total === 1 ? 'object' : 'objects'}</span>
          </p>
          <ul className="counts">
            {filled.map(({ type, count }) => (
              <li key={type.id}>
                <Link to="/objects" search={{ type: type.slug }}>
                  {type.name}
                </Link>
                <span>{count.toLocaleString()}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
