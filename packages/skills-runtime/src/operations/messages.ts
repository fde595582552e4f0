import type { Where } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { asPage, defineOperation, pageInput, pageOf } from '@minions/core/operations'
import { tokens } from '@minions/core/plugin'
import { Type } from 'typebox'
import { DEAD_LETTER_REASONS, type DeadLetterReason } from '../bus/delivery/dead-letter.js'
import { MESSAGE_LIMITS, MESSAGE_TYPES, MessageSchema, SYSTEM_SENDER } from '../bus/message/message-schema.js'
import { messagesCollection } from '../bus/message/message-store.js'
import { AgentReference, agentIdOf } from './agent-reference.js'
import { exampleAgent } from './example-skills.js'
import { closed, deps } from './inputs.js'

const AgentId = (description: string) => Type.Optional(Type.String({ ...AgentReference, description }))

const Topic = Type.Optional(
  Type.String({ description: 'Topic that the message is published to.', examples: ['patrol.done'] }),
)

const CorrelationId = Type.Optional(
  Type.String({ description: 'Id that a request and its response share.', examples: ['round-7'] }),
)

const exampleMessage = ['messages.send', { topic: 'patrol.done', payload: { area: 'kitchen' } }] as const

export const send = defineOperation({
  name: 'messages.send',
  summary: 'Send a message to a subagent or a topic',
  description: 'Give either `to` or `topic`. A message that no one receives becomes a dead letter.',
  access: 'write',
  input: Type.Object(
    {
      to: AgentId('Id or name of the subagent that receives it.'),
      topic: Topic,
      payload: Type.Unsafe<JsonObject>({
        type: 'object',
        description: 'The content of the message.',
        examples: [{ area: 'kitchen' }],
      }),
      from: AgentId('Id or name of the subagent that sends it; the system by default.'),
      type: Type.Optional(
        Type.Enum(MESSAGE_TYPES, { default: 'event', description: 'The type of the message.', examples: ['event'] }),
      ),
      correlationId: CorrelationId,
      ttl: Type.Optional(
        Type.Integer({
          minimum: MESSAGE_LIMITS.ttl.min,
          maximum: MESSAGE_LIMITS.ttl.max,
          description: `Seconds after which it is no longer delivered; ${MESSAGE_LIMITS.ttl.default} by default.`,
          examples: [10],
        }),
      ),
      priority: Type.Optional(
        Type.Integer({
          minimum: MESSAGE_LIMITS.priority.min,
          maximum: MESSAGE_LIMITS.priority.max,
          description: `1 is delivered first; ${MESSAGE_LIMITS.priority.default} by default.`,
          examples: [1],
        }),
      ),
    },
    closed,
  ),
  output: MessageSchema,
  examples: [
    {
      title: 'To a subagent',
      given: [exampleAgent],
      input: { to: 'scout', payload: { area: 'kitchen' }, priority: 1 },
    },
    { title: 'To all subscribers of a topic', input: exampleMessage[1] },
  ],
  deps,
  async run({ to, from, topic, payload, type = 'event', correlationId, ttl, priority }, { skills }) {
    const sent = await skills.bus.dispatch({
      sender_id: from === undefined ? SYSTEM_SENDER : await agentIdOf(skills, from),
      recipient_id: to === undefined ? null : await agentIdOf(skills, to),
      topic: topic ?? null,
      message_type: type,
      payload,
      correlation_id: correlationId ?? null,
      ttl: ttl ?? null,
      priority: priority ?? null,
    })
    return { ...sent }
  },
})

export const list = defineOperation({
  name: 'messages.list',
  summary: 'List stored messages, oldest first',
  description: 'Messages are stored until they expire, if the runtime is configured to do so.',
  access: 'read',
  input: Type.Object(
    {
      to: AgentId('Id or name of the subagent that receives them.'),
      from: AgentId('Id or name of the subagent that sent them.'),
      topic: Topic,
      correlationId: CorrelationId,
      ...pageInput,
    },
    closed,
  ),
  output: pageOf(MessageSchema),
  examples: [{ title: 'Messages on a topic', given: [exampleMessage], input: { topic: 'patrol.done' } }],
  // The records are read from the store, so that those of other processes are included.
  deps: { ...deps, store: tokens.store },
  async run({ to, from, topic, correlationId, ...page }, { skills, store }) {
    const where: Where = {
      ...(to !== undefined && { recipient_id: await agentIdOf(skills, to) }),
      ...(from !== undefined && { sender_id: await agentIdOf(skills, from) }),
      ...(topic !== undefined && { topic }),
      ...(correlationId !== undefined && { correlation_id: correlationId }),
    }
    return asPage(await store.find(messagesCollection, { where, orderBy: [{ field: 'timestamp' }], ...page }))
  },
})

export const deadLetters = defineOperation({
  name: 'messages.deadLetters',
  summary: 'List the last messages of this process that could not be delivered, oldest first',
  access: 'read',
  input: Type.Object({}, closed),
  output: Type.Array(
    Type.Object({
      message: MessageSchema,
      reason: Type.Enum(Object.keys(DEAD_LETTER_REASONS) as DeadLetterReason[], {
        description: 'Why it was not delivered.',
      }),
      target: Type.String({ description: 'Subagent, topic or pattern that it was sent to.' }),
      at: Type.String({ description: 'When that was detected.' }),
    }),
  ),
  examples: [{ title: 'A topic without subscribers', given: [exampleMessage], input: {} }],
  deps,
  run: (_, { skills }) =>
    skills.bus
      .deadLetters()
      .map(({ message, reason, target, at }) => ({ message: { ...message }, reason, target, at })),
})
