import { useParams } from '@tanstack/react-router'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { orTell, tell } from '../../parts/toasts.tsx'
import { Unready } from '../../parts/unready.tsx'
import { ExecutionList } from './execution-list.tsx'
import type { Agent } from './skill.ts'

interface Message {
  readonly message_id: string
  readonly message_type?: string
  readonly topic?: string | null
  readonly payload?: unknown
  readonly timestamp?: string
}

/** What can be done with an agent in each state. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
}

/** One agent: its state, executions and messages. */
export function AgentPage() {
  const { id } = useParams({ from: '/agents/$id' })
  const can = useCan()
  const { data: agent, error } = useCall<Agent>('agents.get', { agent: id })
  if (!agent) return <Unready error={error} what="The agent" />
  const run = (verb: string) =>
    orTell(async () => {
      await call(`agents.${verb}`, { agent: id })
      tell(`The agent will ${verb}.`)
    })
  return (
    <>
      <PageHead
        title={agent.name}
        about={
          <>
            <Badge state={agent.state} /> created <Time at={agent.created_at} />
          </>
        }
      >
        {(VERBS[agent.state] ?? [])
          .filter((verb) => can(`agents.${verb}`))
          .map((verb) => (
            <button key={verb} type="button" onClick={() => run(verb)}>
              {verb.charAt(0).toUpperCase() + verb.slice(1)}
            </button>
          ))}
      </PageHead>
      {agent.error !== null && (
        <Notice kind="bad" title="Why it failed">
          <p className="text">{agent.error}</p>
        </Notice>
      )}
      <Card title="Executions">
        <ExecutionList filter={{ agent: id }} />
      </Card>
      {can('messages.list') && (
        <div className="columns">
          <MessageList title="Received messages" empty="Messages sent to this agent appear here." filter={{ to: id }} />
          <MessageList
            title="Sent messages"
            empty="Messages that this agent sends appear here."
            filter={{ from: id }}
          />
        </div>
      )}
    </>
  )
}

interface MessageListProps {
  readonly title: string
  readonly empty: string
  readonly filter: Readonly<Record<string, string>>
}

function MessageList({ title, empty, filter }: MessageListProps) {
  const { data } = useCall<Page<Message>>('messages.list', { ...filter, limit: 100 })
  const items = data?.items ?? []
  return (
    <Card title={title}>
      {items.length === 0 && <Empty title="No messages">{empty}</Empty>}
      <ol className="claims">
        {items.map(({ message_id, message_type, topic, payload, timestamp }) => (
          <li key={message_id}>
            <strong>{message_type}</strong> {topic && <code>{topic}</code>} <Time at={timestamp} />
            <p className="text code">{JSON.stringify(payload)}</p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
