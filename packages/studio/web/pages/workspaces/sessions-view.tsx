import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Time } from '../../parts/time.tsx'

export interface SessionsViewProps {
  readonly id: string
  readonly session: string | undefined
  readonly onChoose: (session: string) => void
}

interface Session {
  readonly id: string
  readonly updated_at: string
}

interface Message {
  readonly role?: string
  readonly content?: unknown
  readonly timestamp?: string
}

export function SessionsView({ id, session, onChoose }: SessionsViewProps) {
  const { data: sessions = [], isSuccess } = useCall<readonly Session[]>(
    'workspaces.sessions',
    { workspace: id },
    { fromFiles: true },
  )
  const chosen = session ?? sessions[0]?.id
  const { data: messages = [] } = useCall<readonly Message[]>(
    'workspaces.messages',
    { workspace: id, session: chosen },
    { enabled: chosen !== undefined, fromFiles: true },
  )
  if (isSuccess && sessions.length === 0) {
    return <Empty title="No sessions">Each conversation of an agent in this workspace appears here.</Empty>
  }
  return (
    <div className="columns">
      <ul className="card artifact-list" aria-label="Sessions">
        {sessions.map((each) => (
          <li key={each.id}>
            <button type="button" aria-pressed={each.id === chosen} onClick={() => onChoose(each.id)}>
              <span className="artifact-line">{each.id}</span>
              <span className="artifact-line faint">
                <Time at={each.updated_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Card title="Messages">
        <ol className="claims">
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and are only ever added
            <li key={index}>
              <strong>{message.role}</strong> <Time at={message.timestamp} />
              <p className="text">
                {typeof message.content === 'string' ? message.content : JSON.stringify(message.content)}
              </p>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  )
}
