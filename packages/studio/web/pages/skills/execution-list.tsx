import { Link } from '@tanstack/react-router'
import type { Execution } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { duration, Time } from '../../parts/time.tsx'

/** Executions that a list shows. */
const MOST = 100

export function ExecutionList({ filter }: { readonly filter: Readonly<Record<string, unknown>> }) {
  const { data = [], isSuccess } = useCall<readonly Execution[]>('executions.list', { ...filter, limit: MOST })
  if (isSuccess && data.length === 0)
    return <Empty title="No executions yet">They appear here as soon as one starts.</Empty>
  const newest = data.toSorted((a, b) => b.started_at.localeCompare(a.started_at))
  return (
    <ul className="rows">
      {newest.map(({ execution_id, skill_name, status, duration_ms, started_at, retry_count }) => (
        <li key={execution_id}>
          <Link to="/executions/$id" params={{ id: execution_id }}>
            {skill_name}
          </Link>
          {retry_count > 0 && <span className="faint">{retry_count} retries</span>}
          <Badge state={status} />
          <span className="faint">{duration_ms === null ? '' : duration(duration_ms)}</span>
          <Time at={started_at} />
        </li>
      ))}
    </ul>
  )
}
