import { Link, useParams } from '@tanstack/react-router'
import type { Execution } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { duration, Time } from '../../parts/time.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { retries } from './execution-list.tsx'

interface ExecutionDetails extends Execution {
  readonly log?: {
    readonly lines: readonly { readonly at?: string; readonly level?: string; readonly message?: string }[]
  }
}

/** One execution: what went in, what came out, retries and log. */
export function ExecutionPage() {
  const { id } = useParams({ from: '/executions/$id' })
  const { data, error } = useCall<ExecutionDetails>('executions.get', { execution: id, logs: true })
  if (!data) return <UnreadyPage error={error} what="The execution" />
  const lines = data.log?.lines ?? []
  return (
    <>
      <PageHead
        title={data.skill_name}
        about={
          <>
            <Badge state={data.status} /> <Time at={data.started_at} />
            {data.duration_ms !== null && `, ${duration(data.duration_ms)}`}, {retries(data.retry_count)}, by{' '}
            <Link to="/agents/$id" params={{ id: data.agent_id }}>
              this agent
            </Link>
          </>
        }
      />
      {data.error !== null && (
        <Notice kind="bad" title="Why it failed">
          <p className="text">{data.error}</p>
        </Notice>
      )}
      <div className="columns">
        <Card title="Input">
          <JsonView value={data.parameters} label="Input" />
        </Card>
        <Card title="Output">
          <JsonView value={data.result} label="Output" />
        </Card>
      </div>
      <Card title="Log">
        {lines.length === 0 ? (
          <Empty title="No log">The skill logged nothing.</Empty>
        ) : (
          <ol className="claims">
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and are only ever added
              <li key={index}>
                <code>{line.level}</code> <Time at={line.at} /> <span className="text">{line.message}</span>
              </li>
            ))}
          </ol>
        )}
      </Card>
    </>
  )
}
