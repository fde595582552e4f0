import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Time } from '../../parts/time.tsx'
import { Unready } from '../../parts/unready.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'

interface Memory {
  readonly facts: string
  readonly history: readonly string[]
  readonly insights: readonly { readonly id: string; readonly content: string; readonly createdAt: string }[]
}

/** The three tiers of what a workspace remembers: its facts, its history, and the insights that all workspaces share. */
export function MemoryView({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const { data, error } = useCall<Memory>('workspaces.memory', { workspace: id }, { fromFiles: true })
  if (!data) return <Unready error={error} what="The memory" />
  const reread = () => void queries.invalidateQueries({ queryKey: ['call', 'workspaces.memory'] })
  return (
    <>
      <Card title="Facts">
        {data.facts.trim() === '' ? (
          <Empty title="No facts yet">What stays true from one session to the next; add a section below.</Empty>
        ) : (
          <p className="text">{data.facts}</p>
        )}
      </Card>
      <div className="columns">
        <Card title="History">
          {data.history.length === 0 && <Empty title="No history yet">Agents add an entry after each session.</Empty>}
          <ol className="findings" aria-label="History">
            {data.history.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and are only ever added
              <li key={index}>{entry}</li>
            ))}
          </ol>
        </Card>
        <Card title="Insights of all workspaces">
          {data.insights.length === 0 && <Empty title="No insights yet">Agents keep what is worth knowing here.</Empty>}
          <ul className="findings" aria-label="Insights">
            {data.insights.map(({ id: insight, content, createdAt }) => (
              <li key={insight}>
                <Link to="/objects/$id" params={{ id: insight }}>
                  {content}
                </Link>{' '}
                <Time at={createdAt} />
              </li>
            ))}
          </ul>
        </Card>
      </div>
      <OperationRunner
        title="Set a section of the facts"
        name="workspaces.remember"
        fixed={{ workspace: id }}
        onDone={reread}
      />
    </>
  )
}
