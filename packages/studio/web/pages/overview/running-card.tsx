import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { ListedMission } from '../../data/records.ts'
import { useHasTenant } from '../../data/tenants.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import type { Agent } from '../skills/skill.ts'

interface Run {
  readonly id: string
  readonly operation: string
  readonly status: string
}

const MOST = 5

/** What is under way: missions, agents and long operations. */
export function RunningCard() {
  const can = useCan()
  const hasTenant = useHasTenant()
  const missions = useCall<Page<ListedMission>>(
    'missions.list',
    { status: 'running', limit: MOST },
    { enabled: can('missions.list') && hasTenant },
  )
  const agents = useCall<readonly Agent[]>(
    'agents.list',
    { state: ['running'], newestFirst: true, limit: MOST },
    { enabled: can('agents.list') },
  )
  const runs = useCall<Page<Run>>('runs.list', { status: 'running', limit: MOST }, { enabled: can('runs.list') })
  const queries = [missions, agents, runs]
  const error = queries.find((query) => query.error)?.error
  const isQuiet = [missions.data?.items, agents.data, runs.data?.items].every((list) => (list?.length ?? 0) === 0)
  return (
    <Card title="Running" {...(can('missions.list') && { to: '/missions', more: 'All missions' })}>
      <Failure title="What is running cannot be shown" error={error} />
      {isQuiet && !error && !queries.some(({ isLoading }) => isLoading) && (
        <Empty title="Nothing is running">Missions, agents and long operations appear here while they run.</Empty>
      )}
      <ul className="rows">
        {missions.data?.items.map(({ mission_id, envelope, status }) => (
          <li key={mission_id}>
            <Link to="/missions/$id" params={{ id: mission_id }}>
              {envelope.user_goal}
            </Link>
            <Badge state={status} />
          </li>
        ))}
        {agents.data?.map(({ agent_id, name, state }) => (
          <li key={agent_id}>
            <Link to="/agents/$id" params={{ id: agent_id }}>
              {name}
            </Link>
            <Badge state={state} />
          </li>
        ))}
        {runs.data?.items.map(({ id, operation, status }) => (
          <li key={id}>
            <code>{operation}</code>
            <Badge state={status} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
