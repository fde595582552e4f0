import { type FormEvent, useState } from 'react'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { JsonInput } from '../../forms/inputs.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Time } from '../../parts/time.tsx'
import { orTell, tell } from '../../parts/toasts.tsx'
import { Decision } from './decision.tsx'
import { Facts } from './facts.tsx'
import { type DecisionListProps, MoreDecisions } from './proposal-list.tsx'

export interface Approval {
  readonly approval_id: string
  readonly status: string
  readonly call: {
    readonly kind: string
    readonly name: string
    readonly arguments?: Readonly<Record<string, unknown>> | null
  }
  /** What was approved instead, if somebody changed it. */
  readonly edit: { readonly arguments: Readonly<Record<string, unknown>> } | null
  readonly tenant_id: string | null
  readonly why: string
  readonly asked_by: string
  readonly asked_at: string
  readonly expires_at: string
}

export function ApprovalList({ onlyWaiting }: DecisionListProps) {
  const { data, isSuccess, error } = useCall<Page<Approval>>(
    'approvals.list',
    { limit: 200, ...(onlyWaiting && { status: 'pending' }) },
    { acrossTenants: true },
  )
  const items = data?.items ?? []
  if (error && !data) return <Failure title="The approvals cannot be shown" error={error} />
  if (isSuccess && items.length === 0) {
    return (
      <Empty title="Nothing to approve">Calls that the policy lets through only with an approval appear here.</Empty>
    )
  }
  return (
    <>
      {items.map((approval) => (
        <ApprovalCard key={approval.approval_id} approval={approval} />
      ))}
      {data?.nextCursor !== undefined && <MoreDecisions />}
    </>
  )
}

function ApprovalCard({ approval }: { readonly approval: Approval }) {
  const { approval_id, status, call: asked, tenant_id, why, asked_by, asked_at, expires_at, edit } = approval
  const within = tenant_id ?? undefined
  const can = useCan()
  const [edited, setEdited] = useState<unknown>(asked.arguments ?? {})
  const [isEditing, setEditing] = useState(false)
  const subject = `${asked.kind} ${asked.name}`
  const approveEdited = (event: FormEvent) => {
    event.preventDefault()
    return orTell(async () => {
      await call('approvals.edit', { approval: approval_id, arguments: edited }, { tenant: within })
      tell(`${subject} was approved with your arguments.`)
    })
  }
  return (
    <Card title={subject}>
      <p>
        <Badge state={status} /> {why} Requested by {asked_by} {tenant_id !== null && `for ${tenant_id} `}
        <Time at={asked_at} />, expires <Time at={expires_at} />.
      </p>
      <Facts label="Arguments of the call" values={asked.arguments ?? {}} />
      {edit !== null && (
        <>
          <h3>Approved with other arguments</h3>
          <Facts label="Arguments that were approved" values={edit.arguments} />
        </>
      )}
      {status === 'pending' && (
        <Decision area="approvals" subject={subject} input={{ approval: approval_id }} within={within}>
          {can('approvals.edit') && !isEditing && (
            <button type="button" onClick={() => setEditing(true)}>
              Edit
            </button>
          )}
        </Decision>
      )}
      {status === 'pending' && isEditing && (
        <form className="edited" aria-label={`Edit ${subject}`} onSubmit={approveEdited}>
          <JsonInput name="Arguments" schema={{ type: 'object' }} required value={edited} onChange={setEdited} />
          <div className="actions">
            <button type="submit" className="primary">
              Approve with these arguments
            </button>
            <button type="button" onClick={() => setEditing(false)}>
              Do not edit
            </button>
          </div>
        </form>
      )}
    </Card>
  )
}
