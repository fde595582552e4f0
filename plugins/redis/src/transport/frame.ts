import { MinionsError } from '@minions/core'
import { deepFreeze, isRecord } from '@minions/core/json'
import type { SentMessage } from '@minions/skills-runtime'

/** The answer of a member: how many of its endpoints accepted a message, or the error for the sender. */
export type Answer =
  | number
  | { readonly code: string; readonly message: string; readonly details: Record<string, unknown> }

/** Frames that are resent until they are acknowledged. */
export type RequestBody =
  /** A message for the subscribers of a topic, or for one recipient. `at` is when it was sent, by the clock of Redis. */
  | { readonly kind: 'message'; readonly at: number; readonly message: SentMessage }
  /** Asks whether the recipient of a message receives there. The message comes without its payload. */
  | { readonly kind: 'query'; readonly message: SentMessage }
  /** An agent receives at the sender from now on. */
  | { readonly kind: 'claim'; readonly agent: string }

export type Frame =
  | { readonly from: string; readonly seq: number; readonly low: number; readonly body: RequestBody }
  | { readonly from: string; readonly acks: readonly (readonly [seq: number, answer: Answer])[] }

/** Undefined for anything but a frame: an inbox begins with an empty entry, and others may write to it by mistake. */
export function decodeFrame(text: string): Frame | undefined {
  try {
    const frame: unknown = JSON.parse(text)
    return isFrame(frame) ? deepFreeze(frame) : undefined
  } catch {
    return undefined
  }
}

function isFrame(value: unknown): value is Frame {
  if (!isRecord(value) || typeof value.from !== 'string') return false
  return (Number.isInteger(value.seq) && isRecord(value.body)) || Array.isArray(value.acks)
}

/** A member's error, for the sender. */
export function errorOf(answer: Exclude<Answer, number>): MinionsError {
  return new MinionsError(answer.code, answer.message, { details: answer.details })
}
