import type { EventSource } from '@minions/core/operations'
import { messagesCollection } from '../bus/message/message-store.js'
import { executionsCollection, skillsCollection, subagentsCollection } from '../runtime/state/collections.js'

export const skillsEvents: readonly EventSource[] = [
  { collection: skillsCollection, operation: 'skills.get' },
  { collection: subagentsCollection, operation: 'agents.get' },
  { collection: executionsCollection, operation: 'executions.get' },
  { collection: messagesCollection, operation: 'messages.list', topic: 'topic' },
]
