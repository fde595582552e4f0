import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { tenant } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import type { ListedMission } from '../../data/records.ts'
import { useStore } from '../../data/store.ts'
import { useHasTenant } from '../../data/tenants.ts'
import { useRows } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'

const STATUSES = ['not_started', 'running', 'completed', 'failed', 'cancelled', 'budget_exceeded']

const COLUMNS: readonly Column<ListedMission>[] = [
  {
    title: 'Goal',
    cell: ({ mission_id, envelope }) => (
      <Link to="/missions/$id" params={{ id: mission_id }}>
        {envelope.user_goal}
      </Link>
    ),
  },
  { title: 'Status', width: '10rem', cell: ({ status }) => <Badge state={status} /> },
  { title: 'Started', width: '9rem', cell: ({ started_at }) => <Time at={started_at} /> },
  { title: 'Ended', width: '9rem', cell: ({ ended_at }) => <Time at={ended_at} /> },
]

/** The missions of a tenant, the newest first. */
export function MissionsPage() {
  const { status } = useSearch({ from: '/missions' })
  const navigate = useNavigate({ from: '/missions' })
  const within = useStore(tenant)
  const hasTenant = useHasTenant()
  const can = useCan()
  const { items, query, more } = useRows<ListedMission>(
    'missions.list',
    { limit: 50, ...(status !== undefined && { status }) },
    { enabled: hasTenant },
  )
  const { error } = query
  const start = can('missions.start')
    ? 'Start one with “New mission”; the form comes filled with an example.'
    : 'They appear here as programs start them.'
  const hint = status === undefined ? start : 'Choose another status.'
  const isEmpty = !hasTenant || (query.isSuccess && items.length === 0)
  return (
    <div className="fill">
      <PageHead title="Missions" about={within === undefined ? undefined : `Tenant ${within}.`}>
        {can('missions.start') && (
          <Link to="/missions/new" className="button primary">
            New mission
          </Link>
        )}
      </PageHead>
      <div className="filters">
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={STATUSES}
          onChoose={(next) => navigate({ search: { status: next }, replace: true })}
        />
      </div>
      <Failure title="The missions cannot be shown" error={error} />
      {isEmpty ? (
        <Empty title="No missions">{hint}</Empty>
      ) : (
        <Table
          label="Missions"
          rows={items}
          columns={COLUMNS}
          keyOf={({ mission_id }) => mission_id}
          onNearEnd={more}
        />
      )}
    </div>
  )
}
