import { isId, timestamp } from '@minions/core'
import { frozenJson, getOwn, isRecord, type JsonObject } from '@minions/core/json'
import { assertValid } from '../../validation.js'
import type { SendOptions } from '../bus-options.js'
import { MESSAGE_LIMITS, MESSAGE_TYPES, type MessageInput, MessageSchema, SYSTEM_SENDER } from './message-schema.js'
import type { SentMessage } from './sent-message.js'
import { validateMessage } from './validate-message.js'

/** Options in which `undefined` is allowed. */
type ComposeOptions = { readonly [Key in keyof SendOptions]?: SendOptions[Key] | undefined }

type NewId = () => string

/**
 * Creates the record that is sent: checked, with defaults, id and time, a copy of its input, and frozen, because every
 * subscriber gets the same one. Throws `VALIDATION_FAILED`.
 */
export function composeMessage(
  topic: string | null,
  recipient_id: string | null,
  payload: JsonObject,
  message_type: SentMessage['message_type'],
  options: ComposeOptions,
  newId: NewId,
  now: number,
): SentMessage {
  const { sender_id = SYSTEM_SENDER } = options
  const ttl = options.ttl ?? MESSAGE_LIMITS.ttl.default
  const priority = options.priority ?? MESSAGE_LIMITS.priority.default
  const correlation_id = options.correlation_id ?? newCorrelation(message_type, newId)
  // Nearly all messages are valid, and checking only that takes a fraction of the full validation.
  const isPlain =
    (topic === null ? isId(recipient_id) : recipient_id === null && isPlainTopic(topic)) &&
    (sender_id === SYSTEM_SENDER || isId(sender_id)) &&
    (correlation_id === null ? message_type === 'event' : isId(correlation_id) && isMessageType(message_type)) &&
    isRecord(payload) &&
    isWithin(ttl, MESSAGE_LIMITS.ttl) &&
    isWithin(priority, MESSAGE_LIMITS.priority)
  if (!isPlain) {
    const draft = { topic, sender_id, recipient_id, message_type, payload, ttl, priority, correlation_id }
    assertValid('The message', validateMessage(draft).errors)
  }
  return Object.freeze({
    message_id: newId(),
    topic,
    sender_id,
    recipient_id,
    message_type,
    payload: frozenPayload(payload),
    timestamp: timestamp(now),
    ttl,
    priority,
    correlation_id,
  })
}

/** Like `composeMessage`, from an untrusted record; only own properties count. */
export function completeMessage(record: unknown, newId: NewId, now: number): SentMessage {
  const draft = isRecord(record) ? ownAttributes(record) : record
  assertValid('The message', validateMessage(draft).errors)
  const message = draft as MessageInput
  return Object.freeze({
    message_id: message.message_id ?? newId(),
    topic: message.topic ?? null,
    sender_id: message.sender_id,
    recipient_id: message.recipient_id ?? null,
    message_type: message.message_type,
    payload: frozenPayload(message.payload),
    timestamp: message.timestamp ?? timestamp(now),
    ttl: message.ttl ?? MESSAGE_LIMITS.ttl.default,
    priority: message.priority ?? MESSAGE_LIMITS.priority.default,
    correlation_id: message.correlation_id ?? newCorrelation(message.message_type, newId),
  })
}

/** A frozen copy. Throws `VALIDATION_FAILED` for values that JSON cannot represent. */
function frozenPayload<T>(payload: T): T {
  return frozenJson(payload, 'The payload of a message')
}

function ownAttributes(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(MessageSchema.properties).map((key) => [key, getOwn(record, key)]))
}

/** Requests are identified by their correlation id, so each has one. */
function newCorrelation(type: unknown, newId: NewId): string | null {
  return type === 'request' ? newId() : null
}

function isMessageType(type: unknown): boolean {
  return (MESSAGE_TYPES as readonly unknown[]).includes(type)
}

/** Consecutive messages often have the same topic, and comparing strings is cheaper than scanning them. */
let lastTopic = ''

function isPlainTopic(topic: unknown): boolean {
  if (typeof topic !== 'string' || topic.length === 0 || topic.length > MESSAGE_LIMITS.topic) return false
  if (topic === lastTopic) return true
  if (!topic.isWellFormed() || topic.includes('\0')) return false
  lastTopic = topic
  return true
}

function isWithin(value: unknown, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}
