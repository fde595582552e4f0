import { type Timers, withDeadline } from '@minions/core/coordination'
import type { SentMessage } from '../message/sent-message.js'
import type { OpenRequests } from './open-requests.js'
import { requestFailed, requestTimeout } from './request-errors.js'

export interface AwaitResponse {
  readonly request: SentMessage
  readonly requests: OpenRequests
  readonly expiresAt: number
  readonly timers: Timers
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal | undefined
  /** Sends the request; a rejection ends the wait. */
  readonly send: () => Promise<unknown>
}

/** Sends a request and waits for its response. Cleans up however it ends. */
export async function awaitResponse(options: AwaitResponse): Promise<SentMessage> {
  const { request, requests, expiresAt, timers, timeout, signal, send } = options
  let giveUp = () => {}
  const answered = new Promise<SentMessage>((resolve, reject) => {
    giveUp = requests.wait(request, expiresAt, {
      respond: (answer) => (answer.message_type === 'error' ? reject(requestFailed(request, answer)) : resolve(answer)),
      fail: reject,
    })
    // A full mailbox must not hold up the requester beyond its timeout, so only the response is awaited.
    send().catch(reject)
  })
  const expired = () => {
    throw requestTimeout(request, timeout)
  }
  try {
    return await withDeadline(answered, { timeout, timers, signal, expired, abandon: giveUp })
  } finally {
    giveUp()
  }
}
