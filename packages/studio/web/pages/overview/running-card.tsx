import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { ListedMission } from '../../data/records.ts'
import { useHasTenant } from '../../data/tenants.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
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
  const { data: missions } = useCall<Page<ListedMission>>(
    'missions.list',
    { status: 'running', limit: MOST },
    { enabled: can('missions.list') && hasTenant },
  )
  const { data: agents } = useCall<readonly Agent[]>(
    'agents.list',
    { state: ['running'], limit: MOST },
    { enabled: can('agents.list') },
  )
  const { data: runs } = useCall<Page<Run>>(
    'runs.list',
    { status: 'running', limit: MOST },
    { enabled: can('runs.list') },
  )
  const isQuiet = [missions?.items, agents, runs?.items].every((list) => (list?.length ?? 0) === 0)
  return (
    <Card title="Running" {...(can('missions.list') && { to: '/missions', more: 'All missions' })}>
      {isQuiet && (
        <Empty title="Nothing is running">Missions, agents and long operations appear here while they run.</Empty>
      )}
      <ul className="rows">
        {missions?.items.map(({ mission_id, envelope, status }) => (
          <li key={mission_id}>
            <Link to="/missions/$id" params={{ id: mission_id }}>
              {envelope.user_goal}
            </Link>
            <Badge state={status} />
          </li>
        ))}
        {agents?.map(({ agent_id, name, state }) => (
          <li key={agent_id}>
            <span>{name}</span>
            <Badge state={state} />
          </li>
        ))}
        {runs?.items.map(({ id, operation, status }) => (
          <li key={id}>
            <code>{operation}</code>
            <Badge state={status} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
