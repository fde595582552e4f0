import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs, tabOf } from '../../parts/tabs.tsx'
import { ApprovalList } from './approval-list.tsx'
import { ProposalList } from './proposal-list.tsx'

/** What waits for a decision of a person, with what exactly will be done. */
export function InboxPage() {
  const { view, status } = useSearch({ from: '/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const can = useCan()
  const tabs = {
    ...(can('approvals.list') && { approvals: 'Approvals' }),
    ...(can('proposals.list') && { proposals: 'Proposals' }),
  }
  const { data: waiting } = useCall<Page<unknown>>(
    'approvals.list',
    { status: 'pending', limit: 1 },
    { enabled: can('approvals.list'), acrossTenants: true },
  )
  // Opens where something waits.
  const first = Object.keys(tabs).at(waiting?.items.length === 0 ? -1 : 0)
  const chosen = tabOf(tabs, view ?? first)
  return (
    <>
      <PageHead title="Inbox" about="What agents want to do and need your approval for." />
      {chosen === undefined ? (
        <Empty title="No source of decisions">
          Add <code>colonyContracts()</code> of <code>@minions/colony-contracts</code> for proposals of missions, or{' '}
          <code>approvals()</code> of <code>@minions/approvals</code> for calls that need an approval.
        </Empty>
      ) : (
        <Tabs
          label="Kinds of decisions"
          tabs={tabs}
          chosen={chosen}
          onChoose={(next) => navigate({ search: { view: next } })}
        >
          <div className="filters">
            <select
              aria-label="Show"
              value={status ?? 'waiting'}
              onChange={({ target }) =>
                navigate({ search: (before) => ({ ...before, status: target.value === 'all' ? 'all' : undefined }) })
              }
            >
              <option value="waiting">Pending</option>
              <option value="all">All</option>
            </select>
          </div>
          {chosen === 'approvals' && <ApprovalList onlyWaiting={status !== 'all'} />}
          {chosen === 'proposals' && <ProposalList onlyWaiting={status !== 'all'} />}
        </Tabs>
      )}
    </>
  )
}
