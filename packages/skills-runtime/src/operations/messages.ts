import type { Where } from '@minions/core'
import { asPage, operationsWith, pageInput, pageOf, property } from '@minions/core/operations'
import { tokens } from '@minions/core/plugin'
import { Type } from 'typebox'
import { DEAD_LETTER_REASONS, type DeadLetterReason } from '../bus/delivery/dead-letter.js'
import { MESSAGE_LIMITS, MESSAGE_TYPES, MessageSchema, SYSTEM_SENDER } from '../bus/message/message-schema.js'
import { messagesCollection } from '../bus/message/message-store.js'
import { skillsRef } from '../ref.js'
import { AgentReference, agentIdOf } from './agent-reference.js'
import { exampleAgent } from './example-skills.js'
import { NewestFirst, operation } from './inputs.js'

const AgentId = (description: string) => Type.Optional(Type.String({ ...AgentReference, description }))

const Topic = Type.Optional(property.text('Topic that the message is published to.', 'patrol.done'))

const CorrelationId = Type.Optional(property.text('Id that a request and its response share.', 'round-7'))

const exampleMessage = ['messages.send', { topic: 'patrol.done', payload: { area: 'kitchen' } }] as const

export const send = operation({
  name: 'messages.send',
  summary: 'Send a message to a subagent or a topic',
  description: 'Give either `to` or `topic`. A message that no one receives becomes a dead letter.',
  access: 'write',
  input: {
    to: AgentId('Id or name of the subagent that receives it.'),
    topic: Topic,
    payload: property.record('The content of the message.', { area: 'kitchen' }),
    from: AgentId('Id or name of the subagent that sends it; the system by default.'),
    type: Type.Optional(property.choice(MESSAGE_TYPES, 'The type of the message.', 'event', { default: 'event' })),
    correlationId: CorrelationId,
    ttl: Type.Optional(
      property.whole(`Seconds after which it is no longer delivered; ${MESSAGE_LIMITS.ttl.default} by default.`, 10, {
        minimum: MESSAGE_LIMITS.ttl.min,
        maximum: MESSAGE_LIMITS.ttl.max,
      }),
    ),
    priority: Type.Optional(
      property.whole(`1 is delivered first; ${MESSAGE_LIMITS.priority.default} by default.`, 1, {
        minimum: MESSAGE_LIMITS.priority.min,
        maximum: MESSAGE_LIMITS.priority.max,
      }),
    ),
  },
  output: MessageSchema,
  examples: [
    {
      title: 'To a subagent',
      given: [exampleAgent],
      input: { to: 'scout', payload: { area: 'kitchen' }, priority: 1 },
    },
    { title: 'To all subscribers of a topic', input: exampleMessage[1] },
  ],
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

export const list = operationsWith({ skills: skillsRef, store: tokens.store })({
  name: 'messages.list',
  summary: 'List stored messages, oldest first by default',
  description: 'Messages are stored until they expire, if the runtime is configured to do so.',
  access: 'read',
  input: {
    to: AgentId('Id or name of the subagent that receives them.'),
    from: AgentId('Id or name of the subagent that sent them.'),
    topic: Topic,
    correlationId: CorrelationId,
    newestFirst: NewestFirst,
    ...pageInput,
  },
  output: pageOf(MessageSchema),
  examples: [{ title: 'Messages on a topic', given: [exampleMessage], input: { topic: 'patrol.done' } }],
  // The records are read from the store, so that those of other processes are included.
  async run({ to, from, topic, correlationId, newestFirst = false, ...page }, { skills, store }) {
    const where: Where = {
      ...(to !== undefined && { recipient_id: await agentIdOf(skills, to) }),
      ...(from !== undefined && { sender_id: await agentIdOf(skills, from) }),
      ...(topic !== undefined && { topic }),
      ...(correlationId !== undefined && { correlation_id: correlationId }),
    }
    const orderBy = [{ field: 'timestamp', direction: newestFirst ? ('desc' as const) : ('asc' as const) }]
    return asPage(await store.find(messagesCollection, { where, orderBy, ...page }))
  },
})

export const deadLetters = operation({
  name: 'messages.deadLetters',
  summary: 'List the last messages of this process that could not be delivered, oldest first',
  access: 'read',
  input: {},
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
  run: (_, { skills }) =>
    skills.bus
      .deadLetters()
      .map(({ message, reason, target, at }) => ({ message: { ...message }, reason, target, at })),
})
