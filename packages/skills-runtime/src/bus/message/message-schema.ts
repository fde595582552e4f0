import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, JsonRecord, nullable, Timestamp, within } from '../../attributes.js'

/** The type of a message. */
export const MESSAGE_TYPES = ['event', 'request', 'response', 'error'] as const

export type MessageType = (typeof MESSAGE_TYPES)[number]

/** The limits of a message's attributes. `ttl` is in seconds; priority 1 is the most urgent. */
export const MESSAGE_LIMITS = {
  topic: 256,
  ttl: { min: 1, max: 3600, default: 60 },
  priority: { min: 1, max: 10, default: 5 },
} as const

/** The sender of messages that no agent sends. */
export const SYSTEM_SENDER = 'system'

const attributes = {
  topic: nullable(
    Type.String({
      minLength: 1,
      maxLength: MESSAGE_LIMITS.topic,
      description: 'For a broadcast; excludes recipient_id.',
    }),
  ),
  sender_id: Id,
  recipient_id: nullable(Id),
  message_type: Type.Enum(MESSAGE_TYPES),
  payload: JsonRecord,
  ttl: nullable(within(MESSAGE_LIMITS.ttl, 'Seconds after which the message is no longer delivered.')),
  priority: nullable(within(MESSAGE_LIMITS.priority, '1 is delivered first.')),
  correlation_id: nullable(Id),
}

const PRESENT = { type: 'string', description: 'Is given.' }
const ABSENT = { type: 'null', description: 'Is not given.' }

/** Exactly one of topic and recipient; `null` means absent. */
const ADDRESS = [
  { required: ['topic'], properties: { topic: PRESENT, recipient_id: ABSENT } },
  { required: ['recipient_id'], properties: { topic: ABSENT, recipient_id: PRESENT } },
]

/** Responses and errors carry the correlation id of their request. */
const CORRELATION = [
  { properties: { message_type: { enum: ['event', 'request'], description: 'Answers nothing.' } } },
  { required: ['correlation_id'], properties: { correlation_id: PRESENT } },
]

/** The record of one message, as it is delivered and stored. */
export const MessageSchema = described(
  Type.Object({ message_id: Id, ...attributes, timestamp: Timestamp }, { oneOf: ADDRESS, anyOf: CORRELATION }),
  {
    topic: 'The topic of a broadcast; excludes recipient_id.',
    recipient_id: 'The receiving subagent; excludes topic.',
    message_type: 'The type of the message.',
    payload: 'The content, by name.',
    ttl: 'Seconds after which it is no longer delivered.',
    priority: 'From 1, which is delivered first, to 10.',
    correlation_id: 'The id shared by a request and its response.',
  },
)

export type Message = Static<typeof MessageSchema>

/** A message before it is sent: id and time are assigned then. */
export const MessageInputSchema = Type.Object({
  message_id: nullable(Id),
  ...attributes,
  timestamp: nullable(Timestamp),
})

export type MessageInput = Static<typeof MessageInputSchema>
