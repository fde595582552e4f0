import { PageHead } from '../../parts/page-head.tsx'
import { MessageList } from './message-list.tsx'

export function MessagesPage() {
  return (
    <>
      <PageHead title="Messages" about="What agents send each other and publish on topics." />
      <MessageList title="Latest messages" empty="Messages appear here as they are sent." />
    </>
  )
}
