import { isId, timestamp } from '@minions/core'
import {
  MESSAGE_LIMITS,
  MESSAGE_TYPES,
  type MessageInput,
  MessageSchema,
  SYSTEM_SENDER,
} from '../message/message-schema.js'
import { validateMessage } from '../message/validate-message.js'
import { assertValid, attributeIssue, isRecord, own } from '../validation.js'
import type { SentMessage } from './delivery.js'
import { frozenCopy } from './frozen-copy.js'

/** Everything a message says, before it has an id and a time. */
export type Draft = { readonly [Key in keyof MessageInput]?: MessageInput[Key] | undefined }

/** The attributes of a record that may be anything at all; only its own properties count. */
export function draftOf(record: unknown): Draft {
  if (!isRecord(record)) {
    assertValid('The message', [attributeIssue('', 'TYPE', 'A message must be an object.')])
    return {}
  }
  return Object.fromEntries(Object.keys(MessageSchema.properties).map((key) => [key, own(record, key)]))
}

/**
 * Makes the record that is sent: checked, with defaults, id and time filled in, sharing nothing with what it was made
 * from, and frozen, because every subscriber gets the same one. Throws `VALIDATION_FAILED`.
 */
export function composeMessage(draft: Draft, newId: () => string, now: number): SentMessage {
  const { topic, recipient_id, sender_id, message_type } = draft
  const ttl = draft.ttl ?? MESSAGE_LIMITS.ttl.default
  const priority = draft.priority ?? MESSAGE_LIMITS.priority.default
  // Requests are told apart by their correlation, so each has one.
  const correlation_id = draft.correlation_id ?? (message_type === 'request' ? newId() : null)
  if (!isPlainlyValid(draft, ttl, priority, correlation_id)) {
    assertValid('The message', validateMessage({ ...draft, ttl, priority, correlation_id }).errors)
  }
  const message = {
    message_id: draft.message_id ?? newId(),
    topic: topic ?? null,
    sender_id: sender_id as string,
    recipient_id: recipient_id ?? null,
    message_type: message_type as SentMessage['message_type'],
    payload: frozenCopy(draft.payload ?? {}) as SentMessage['payload'],
    timestamp: draft.timestamp ?? timestamp(now),
    ttl,
    priority,
    correlation_id,
  }
  return Object.freeze(message)
}

/**
 * Whether a message keeps every rule for certain. Nearly all do, and saying so takes a fraction of the time that the full
 * validation needs; the payload is checked when it is copied.
 */
function isPlainlyValid(draft: Draft, ttl: unknown, priority: unknown, correlation: string | null): boolean {
  const { topic = null, recipient_id = null, sender_id, message_type } = draft
  return (
    (topic === null ? isId(recipient_id) : recipient_id === null && isPlainTopic(topic)) &&
    (sender_id === SYSTEM_SENDER || isId(sender_id)) &&
    (correlation === null ? message_type === 'event' : isId(correlation) && isMessageType(message_type)) &&
    isRecord(draft.payload) &&
    isWithin(ttl, MESSAGE_LIMITS.ttl) &&
    isWithin(priority, MESSAGE_LIMITS.priority) &&
    (draft.message_id ?? draft.timestamp ?? null) === null
  )
}

function isMessageType(type: unknown): boolean {
  return (MESSAGE_TYPES as readonly unknown[]).includes(type)
}

function isPlainTopic(topic: unknown): boolean {
  return typeof topic === 'string' && topic.length > 0 && topic.length <= MESSAGE_LIMITS.topic
}

function isWithin(value: unknown, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}
