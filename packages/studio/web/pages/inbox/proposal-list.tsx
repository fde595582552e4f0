import { Link } from '@tanstack/react-router'
import { useHasTenant } from '../../data/tenants.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Time } from '../../parts/time.tsx'
import { Decision } from './decision.tsx'
import { Facts } from './facts.tsx'

export interface DecisionListProps {
  readonly onlyWaiting: boolean
}

/** A change that a mission proposes, and where it stands. */
export interface Proposed {
  readonly proposal: {
    readonly proposal_id: string
    readonly mission_id: string
    readonly action_type: string
    readonly target_entity_type: string
    readonly target_entity_id: string
    readonly payload: Readonly<Record<string, unknown>>
    readonly producer: string
    readonly created_at: string
  }
  readonly status: string
}

export function ProposalList({ onlyWaiting }: DecisionListProps) {
  const hasTenant = useHasTenant()
  const { data, isSuccess, error } = useCall<Page<Proposed>>(
    'proposals.list',
    { limit: 200, ...(onlyWaiting && { status: 'open' }) },
    { enabled: hasTenant },
  )
  const items = data?.items ?? []
  if (error && !data) return <Failure title="The proposals cannot be shown" error={error} />
  if (!hasTenant || (isSuccess && items.length === 0)) {
    return (
      <Empty title="Nothing to decide">
        Missions propose changes once they are reviewed; start one under Missions.
      </Empty>
    )
  }
  const cards = items.map(({ proposal, status }) => {
    const { proposal_id, mission_id, action_type, target_entity_type, target_entity_id } = proposal
    const target = { proposal: proposal_id, mission: mission_id }
    return (
      <Card key={`${mission_id} ${proposal_id}`} title={proposal_id}>
        <p>
          <Badge state={status} /> <strong>{action_type.replaceAll('_', ' ')}</strong> on the {target_entity_type}{' '}
          <code>{target_entity_id}</code>, proposed by {proposal.producer} <Time at={proposal.created_at} /> in{' '}
          <Link to="/missions/$id" params={{ id: mission_id }}>
            this mission
          </Link>
        </p>
        <Facts label="What will be written" values={proposal.payload} />
        {status === 'open' && <Decision area="proposals" subject={proposal_id} input={target} isReasonNeeded />}
      </Card>
    )
  })
  return (
    <>
      {cards}
      {data?.nextCursor !== undefined && <MoreDecisions />}
    </>
  )
}

/** Stands below a list that does not show everything. */
export function MoreDecisions() {
  return <p className="faint">There are more; they appear here as these are decided on.</p>
}
