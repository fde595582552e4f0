import { describe, expect, it } from 'vitest'
import { MESSAGE_TYPES, validateMessage } from '../../src/index.js'
import { eventMessage, requestMessage, responseMessage } from '../examples.js'

const minimal = { topic: 'a.b', sender_id: 'system', message_type: 'event', payload: {} }

const passing: [string, Record<string, unknown>][] = [
  ['nothing but what is required', {}],
  ['a direct message', { topic: null, recipient_id: 'agent-1' }],
  ['an undefined recipient', { recipient_id: undefined }],
  ['a v4 id', { message_id: 'a7f3c2e1-8d4b-4a9c-9e2f-1b3c4d5e6f7a' }],
  ['the longest topic', { topic: 'x'.repeat(256) }],
  ['the shortest life', { ttl: 1 }],
  ['the longest life', { ttl: 3600 }],
  ['no life of its own', { ttl: null }],
  ['the highest priority', { priority: 1 }],
  ['the lowest priority', { priority: 10 }],
  ['a payload with odd keys', { payload: JSON.parse('{"__proto__": 1, "toString": 2}') }],
  ['a request without correlation yet', { message_type: 'request' }],
  ['a response with correlation', { message_type: 'response', correlation_id: 'corr-1' }],
  ['an error with correlation', { message_type: 'error', correlation_id: 'corr-1' }],
  ['a time with offset', { timestamp: '2025-12-19T10:10:00+01:00' }],
]

const failing: [string, string, Record<string, unknown>][] = [
  ['both addresses', 'recipient_id', { recipient_id: 'agent-1' }],
  ['no address', 'topic', { topic: undefined }],
  ['an empty topic', 'topic', { topic: '' }],
  ['a topic too long', 'topic', { topic: 'x'.repeat(257) }],
  ['half a character in a topic', 'topic', { topic: 'a\ud800' }],
  ['U+0000 in a topic', 'topic', { topic: 'a\0' }],
  ['a topic that is no text', 'topic', { topic: 5 }],
  ['a recipient that is no id', 'recipient_id', { topic: null, recipient_id: '../x' }],
  ['no sender', 'sender_id', { sender_id: undefined }],
  ['a null sender', 'sender_id', { sender_id: null }],
  ['an empty sender', 'sender_id', { sender_id: '' }],
  ['a sender that is no id', 'sender_id', { sender_id: 'a b' }],
  ['no type', 'message_type', { message_type: undefined }],
  ['an unknown type', 'message_type', { message_type: 'shout' }],
  ['no payload', 'payload', { payload: undefined }],
  ['a list as payload', 'payload', { payload: [] }],
  ['a text as payload', 'payload', { payload: 'x' }],
  ['a payload JSON cannot carry', 'payload', { payload: { f: () => 1 } }],
  ['half a character in a payload', 'payload', { payload: { a: '\udc00' } }],
  ['a life of zero', 'ttl', { ttl: 0 }],
  ['a negative life', 'ttl', { ttl: -1 }],
  ['a life too long', 'ttl', { ttl: 3601 }],
  ['half a second of life', 'ttl', { ttl: 1.5 }],
  ['a priority too high', 'priority', { priority: 0 }],
  ['a priority too low', 'priority', { priority: 11 }],
  ['a priority that is no number', 'priority', { priority: '5' }],
  ['an id with a space', 'message_id', { message_id: 'a b' }],
  ['an id too long', 'message_id', { message_id: 'a'.repeat(129) }],
  ['no time', 'timestamp', { timestamp: 'now' }],
  ['a day that does not exist', 'timestamp', { timestamp: '2025-02-30T00:00:00Z' }],
  ['a correlation that is no id', 'correlation_id', { correlation_id: '..' }],
  ['a response without correlation', 'correlation_id', { message_type: 'response' }],
  ['an error without correlation', 'correlation_id', { message_type: 'error', correlation_id: null }],
]

describe('validateMessage', () => {
  it('accepts the examples of the specification', () => {
    for (const message of [eventMessage, requestMessage, responseMessage]) {
      expect(validateMessage(message)).toEqual({ valid: true, errors: [] })
    }
  })

  it.each(passing)('accepts %s', (_, change) => {
    expect(validateMessage({ ...minimal, ...change })).toEqual({ valid: true, errors: [] })
  })

  it.each(failing)('refuses %s, naming %s', (_, field, change) => {
    const { valid, errors } = validateMessage({ ...minimal, ...change })
    expect(valid).toBe(false)
    expect(new Set(errors.map(({ pointer }) => pointer.split('/')[1] ?? ''))).toEqual(new Set([field]))
    expect(errors[0]?.message).toMatch(/^[a-z].*[^.]$/)
  })

  it('refuses what is no object and what is only inherited', () => {
    for (const value of [undefined, null, 'message', []]) expect(validateMessage(value).valid).toBe(false)
    expect(validateMessage(Object.create(minimal)).valid).toBe(false)
  })

  it('knows four types', () => {
    expect(MESSAGE_TYPES).toEqual(['event', 'request', 'response', 'error'])
  })
})
