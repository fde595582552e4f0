import type { Timers } from '../time/timers.js'
import type { SentMessage } from './delivery.js'
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

/** Sends a request and waits for its response. Leaves nothing behind however it ends. */
export async function awaitResponse(options: AwaitResponse): Promise<SentMessage> {
  const { request, requests, expiresAt, timers, timeout, signal, send } = options
  let stop = () => {}
  try {
    return await new Promise<SentMessage>((resolve, reject) => {
      const giveUp = requests.wait(request, expiresAt, {
        respond: (answer) =>
          answer.message_type === 'error' ? reject(requestFailed(request, answer)) : resolve(answer),
        fail: reject,
      })
      const cancelTimer =
        timeout === Number.POSITIVE_INFINITY
          ? undefined
          : timers.set(timeout, () => reject(requestTimeout(request, timeout)))
      const abort = () => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      stop = () => {
        signal?.removeEventListener('abort', abort)
        cancelTimer?.()
        giveUp()
      }
      // A full mailbox must not hold the requester beyond its timeout, so it is the response that counts.
      send().catch(reject)
    })
  } finally {
    stop()
  }
}
