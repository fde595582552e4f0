import { Link } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import { useHasTenant } from '../../data/tenants.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import type { Approval } from '../inbox/approval-list.tsx'
import type { Proposed } from '../inbox/proposal-list.tsx'

const MOST = 5

/** What waits for a decision of a person. */
export function DecisionsCard() {
  const can = useCan()
  const hasTenant = useHasTenant()
  const proposals = useCall<Page<Proposed>>(
    'proposals.list',
    { status: 'open', limit: MOST },
    { enabled: can('proposals.list') && hasTenant },
  )
  const approvals = useCall<Page<Approval>>(
    'approvals.list',
    { status: 'pending', limit: MOST },
    { enabled: can('approvals.list'), acrossTenants: true },
  )
  const queries = [proposals, approvals]
  const error = queries.find((query) => query.error)?.error
  const isQuiet = queries.every(({ data, isLoading }) => !isLoading && (data?.items.length ?? 0) === 0)
  return (
    <Card title="Needs a decision" to="/inbox" more="Inbox">
      <Failure title="What needs a decision cannot be shown" error={error} />
      {isQuiet && !error && (
        <Empty title="Nothing needs you">
          Calls that need an approval, and changes that missions propose, appear here.
        </Empty>
      )}
      <ul className="rows">
        {approvals.data?.items.map(({ approval_id, call }) => (
          <li key={approval_id}>
            <Link to="/inbox" search={{ view: 'approvals' }}>
              {call.kind} {call.name}
            </Link>
          </li>
        ))}
        {proposals.data?.items.map(({ proposal }) => (
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
