import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import type { Agent } from './skill.ts'

/** Agents that a list shows. */
const MOST = 1000

const STATES = ['idle', 'running', 'paused', 'completed', 'failed']

const COLUMNS: readonly Column<Agent>[] = [
  {
    title: 'Agent',
    cell: ({ agent_id, name }) => (
      <Link to="/agents/$id" params={{ id: agent_id }}>
        {name}
      </Link>
    ),
  },
  { title: 'State', width: '9rem', cell: ({ state }) => <Badge state={state} /> },
  { title: 'Skill', width: '14rem', cell: ({ assigned_skill }) => assigned_skill },
  { title: 'Created', width: '9rem', cell: ({ created_at }) => <Time at={created_at} /> },
]

export function AgentsPage() {
  const { state } = useSearch({ from: '/agents' })
  const navigate = useNavigate({ from: '/agents' })
  const {
    data = [],
    isSuccess,
    error,
  } = useCall<readonly Agent[]>('agents.list', {
    newestFirst: true,
    limit: MOST,
    ...(state !== undefined && { state: [state] }),
  })
  return (
    <div className="fill">
      <PageHead
        title="Agents"
        about={
          data.length === MOST
            ? `What runs skills, with its current state: the ${MOST.toLocaleString()} latest.`
            : 'What runs skills, with its current state.'
        }
      />
      <div className="filters">
        <Choice
          label="State"
          any="Any state"
          value={state}
          options={STATES}
          onChoose={(next) => navigate({ search: { state: next }, replace: true })}
        />
      </div>
      <Failure title="The agents cannot be shown" error={error} />
      {isSuccess && data.length === 0 ? (
        <Empty title="No agents">An agent is created whenever a skill runs. Run one from its page under Skills.</Empty>
      ) : (
        <Table label="Agents" rows={data} columns={COLUMNS} keyOf={({ agent_id }) => agent_id} />
      )}
    </div>
  )
}
