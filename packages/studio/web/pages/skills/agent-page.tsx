import { useParams } from '@tanstack/react-router'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { orTell, tell } from '../../parts/toasts.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { ExecutionList } from './execution-list.tsx'
import { MessageList } from './message-list.tsx'
import type { Agent } from './skill.ts'

/** What can be done with an agent in each state. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
}

export function AgentPage() {
  const { id } = useParams({ from: '/agents/$id' })
  const can = useCan()
  const { data: agent, error } = useCall<Agent>('agents.get', { agent: id })
  if (!agent) return <UnreadyPage error={error} what="The agent" />
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
