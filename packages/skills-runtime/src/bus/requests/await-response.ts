import { type DeadlineOptions, withDeadline } from '@minions/core/coordination'
import type { SentMessage } from '../message/sent-message.js'
import type { OpenRequests } from './open-requests.js'
import { requestFailed, requestTimeout } from './request-errors.js'

/**
 * Sends a request and waits for its response, by default as long as it lives. Cleans up however it ends; a rejection of
 * `send` ends the wait.
 */
export async function awaitResponse(
  requests: OpenRequests,
  request: SentMessage,
  now: number,
  send: () => Promise<unknown>,
  options: Pick<DeadlineOptions<SentMessage>, 'timeout' | 'timers' | 'signal'>,
): Promise<SentMessage> {
  const life = request.ttl * 1000
  const { timeout = life } = options
  let giveUp = () => {}
  const answered = new Promise<SentMessage>((resolve, reject) => {
    giveUp = requests.wait(request, now + life, {
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
    return await withDeadline(answered, { ...options, timeout, expired, abandon: giveUp })
  } finally {
    giveUp()
  }
}
