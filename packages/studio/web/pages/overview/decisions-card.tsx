import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import { useHasTenant } from '../../data/tenants.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { Approval } from '../inbox/approval-list.tsx'
import type { Proposed } from '../inbox/proposal-list.tsx'

const MOST = 5

/** What waits for a decision of a person. */
export function DecisionsCard() {
  const can = useCan()
  const hasTenant = useHasTenant()
  const { data: proposals } = useCall<Page<Proposed>>(
    'proposals.list',
    { status: 'open', limit: MOST },
    { enabled: can('proposals.list') && hasTenant },
  )
  const { data: approvals } = useCall<Page<Approval>>(
    'approvals.list',
    { status: 'pending', limit: MOST },
    { enabled: can('approvals.list'), acrossTenants: true },
  )
  const isQuiet = [proposals?.items, approvals?.items].every((list) => (list?.length ?? 0) === 0)
  return (
    <Card title="Needs a decision" to="/inbox" more="Inbox">
      {isQuiet && (
        <Empty title="Nothing needs you">
          Calls that need an approval, and changes that missions propose, appear here.
        </Empty>
      )}
      <ul className="rows">
        {approvals?.items.map(({ approval_id, call }) => (
          <li key={approval_id}>
            <Link to="/inbox" search={{ view: 'approvals' }}>
              {call.kind} {call.name}
            </Link>
          </li>
        ))}
        {proposals?.items.map(({ proposal }) => (
          <li key={`${proposal.mission_id} ${proposal.proposal_id}`}>
            <Link to="/inbox" search={{ view: 'proposals' }}>
              {proposal.action_type.replaceAll('_', ' ')} on {proposal.target_entity_id}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
