import { Link } from '@tanstack/react-router'
import type { Execution, MissionProgress } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { toneOf } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { duration } from '../../parts/time.tsx'

/** Executions that are read for a timeline. */
const MOST = 2_000

/** When each task ran, and for how long. */
export function TimelineView({ mission }: { readonly mission: MissionProgress }) {
  const { data = [], error: unread } = useCall<readonly Execution[]>('executions.list', {
    startedAfter: mission.started_at,
    limit: MOST,
  })
  const own = data
    .filter(({ parameters }) => parameters.mission_id === mission.mission_id)
    .toSorted((a, b) => a.started_at.localeCompare(b.started_at))
  if (unread && own.length === 0) return <Failure title="The timeline cannot be shown" error={unread} />
  if (own.length === 0) return <Empty title="Nothing has run yet">Tasks appear here as they start.</Empty>
  const begin = Math.min(...own.map(({ started_at }) => Date.parse(started_at)))
  const end = Math.max(...own.map(endOf), begin + 1)
  const percent = (moment: number) => `${((moment - begin) / (end - begin)) * 100}%`
  return (
    <ol className="card timeline" aria-label="Timeline">
      {own.map((execution) => {
        const { execution_id, parameters, status, started_at, error } = execution
        const from = Date.parse(started_at)
        const state = execution.completed_at === null ? 'running' : status
        return (
          <li key={execution_id}>
            <Link to="/executions/$id" params={{ id: execution_id }} title={error ?? undefined}>
              {String(parameters.task_id ?? execution.skill_name).replace(/^#/, '')}
            </Link>
            <span className="lane">
              <span
                className={`span ${toneOf(state)}`}
                style={{ left: percent(from), width: `calc(${percent(endOf(execution))} - ${percent(from)})` }}
              />
            </span>
            <span className="faint">{duration(endOf(execution) - from)}</span>
          </li>
        )
      })}
    </ol>
  )
}

function endOf({ started_at, completed_at, duration_ms }: Execution): number {
  if (completed_at !== null) return Date.parse(completed_at)
  return duration_ms === null ? Date.now() : Date.parse(started_at) + duration_ms
}
