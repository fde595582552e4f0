import { Link } from '@tanstack/react-router'
import type { Execution } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { duration, Time } from '../../parts/time.tsx'

/** Executions that a list shows. */
const MOST = 100

export function ExecutionList({ filter }: { readonly filter: Readonly<Record<string, unknown>> }) {
  const { data, error } = useCall<readonly Execution[]>('executions.list', {
    ...filter,
    newestFirst: true,
    limit: MOST,
  })
  if (!data) return <Failure title="The executions cannot be shown" error={error} />
  if (data.length === 0) return <Empty title="No executions yet">They appear here as soon as one starts.</Empty>
  return (
    <>
      <ul className="rows">
        {data.map(({ execution_id, skill_name, status, duration_ms, started_at, retry_count }) => (
          <li key={execution_id}>
            <Link to="/executions/$id" params={{ id: execution_id }}>
              {skill_name}
            </Link>
            {retry_count > 0 && <span className="faint">{retries(retry_count)}</span>}
            <Badge state={status} />
            <span className="faint">{duration_ms === null ? '' : duration(duration_ms)}</span>
            <Time at={started_at} />
          </li>
        ))}
      </ul>
      {data.length === MOST && <p className="faint">These are the {MOST} latest.</p>}
    </>
  )
}

export function retries(count: number): string {
  return count === 1 ? '1 retry' : `${count} retries`
}
