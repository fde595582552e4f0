import { Link } from '@tanstack/react-router'
import { type Page, useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Time } from '../../parts/time.tsx'

interface Message {
  readonly message_id: string
  readonly message_type: string
  readonly topic: string | null
  readonly sender_id: string
  readonly recipient_id: string | null
  readonly payload?: unknown
  readonly timestamp: string
}

export interface MessageListProps {
  readonly title: string
  /** When messages appear here. */
  readonly empty: string
  readonly filter?: Readonly<Record<string, string>>
}

/** Messages that a list shows. */
const MOST = 100

/** The latest messages, with who sent each to whom. */
export function MessageList({ title, empty, filter }: MessageListProps) {
  const { data, error } = useCall<Page<Message>>('messages.list', { ...filter, newestFirst: true, limit: MOST })
  return (
    <Card title={title}>
      <Failure title="The messages cannot be shown" error={error} />
      {data?.items.length === 0 && (
        <Empty title="No messages">
          {empty} They are kept until they expire, if the skills plugin is set up with <code>messages.persistence</code>
          , as it is in the <code>minions</code> command.
        </Empty>
      )}
      <ol className="claims" aria-label={title}>
        {data?.items.map(({ message_id, message_type, topic, sender_id, recipient_id, payload, timestamp }) => (
          <li key={message_id}>
            <strong>{message_type}</strong> {topic !== null && <code>{topic}</code>} from <Party id={sender_id} />
            {recipient_id !== null && (
              <>
                {' to '}
                <Party id={recipient_id} />
              </>
            )}{' '}
            <Time at={timestamp} />
            <p className="text code">{JSON.stringify(payload)}</p>
          </li>
        ))}
      </ol>
      {data?.nextCursor !== undefined && <p className="faint">These are the {MOST} latest.</p>}
    </Card>
  )
}

/** Who sends or receives: an agent, or the system. */
function Party({ id }: { readonly id: string }) {
  if (id === 'system') return 'the system'
  return (
    <Link to="/agents/$id" params={{ id }}>
      {id.slice(0, 8)}
    </Link>
  )
}
