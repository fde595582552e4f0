import type { Message } from '../message/message-schema.js'
import type { SentMessage } from '../message/sent-message.js'

interface OpenRequest {
  readonly message: SentMessage
  readonly expiresAt: number
  waiter?: ResponseWaiter | undefined
  /** The waiter gave up; a response is too late. */
  isAbandoned: boolean
}

export interface ResponseWaiter {
  respond(message: SentMessage): void
  fail(error: unknown): void
}

/** Purged of expired entries whenever it has doubled. */
const FIRST_SWEEP = 256

/** The requests a bus has seen, by their correlation id, until they are answered or expire. */
export class OpenRequests {
  readonly #requests = new Map<string, OpenRequest>()
  /** Requests with a waiting caller, by recipient. */
  readonly #awaited = new Map<string, Set<OpenRequest>>()
  readonly #now: () => number
  #sweepAt = FIRST_SWEEP

  constructor(now: () => number) {
    this.#now = now
  }

  has(correlationId: string | null): boolean {
    return correlationId !== null && this.#requests.has(correlationId)
  }

  /** Records a request. The first with a correlation id counts. */
  note(message: SentMessage, expiresAt: number): void {
    const id = message.correlation_id
    if (message.message_type !== 'request' || id === null || this.#requests.has(id)) return
    this.#requests.set(id, { message, expiresAt, isAbandoned: false })
    if (this.#requests.size >= this.#sweepAt) this.#sweep()
  }

  /** Records a request with a waiting caller. The returned function ends the wait. */
  wait(message: SentMessage, expiresAt: number, waiter: ResponseWaiter): () => void {
    this.note(message, expiresAt)
    const request = this.#requests.get(message.correlation_id ?? '')
    if (request === undefined) return () => {}
    const recipient = message.recipient_id ?? ''
    const others = (this.#awaited.get(recipient) ?? new Set()).add(request)
    this.#awaited.set(recipient, others)
    request.waiter = waiter
    return () => {
      if (others.delete(request) && others.size === 0) this.#awaited.delete(recipient)
      if (request.waiter !== waiter) return
      request.waiter = undefined
      request.isAbandoned = true
    }
  }

  /** The request that a message answers: in the opposite direction, with the same correlation id. */
  answeredBy(answer: Pick<SentMessage, 'correlation_id' | 'sender_id' | 'recipient_id'>): SentMessage | undefined {
    const request = this.#requests.get(answer.correlation_id ?? '')?.message
    return request !== undefined && answers(answer, request) ? request : undefined
  }

  /**
   * Settles the request that a response or error answers. `late`: its requester has given up. `unclaimed`: no caller
   * waits, and the response goes to the requester's mailbox.
   */
  settle(answer: SentMessage): 'settled' | 'late' | 'unclaimed' {
    const id = answer.correlation_id ?? ''
    const request = this.#requests.get(id)
    if (request === undefined || this.answeredBy(answer) === undefined) return 'unclaimed'
    // A request to a topic may have many answers; one to an agent has one.
    if (request.message.recipient_id !== null) this.#requests.delete(id)
    if (request.isAbandoned) return 'late'
    if (request.waiter === undefined) return 'unclaimed'
    request.waiter.respond(answer)
    return 'settled'
  }

  isAwaited(answer: SentMessage): boolean {
    if (answer.message_type !== 'response' && answer.message_type !== 'error') return false
    return (
      this.answeredBy(answer) !== undefined && this.#requests.get(answer.correlation_id ?? '')?.waiter !== undefined
    )
  }

  /** Ends the waits for responses of one agent, each with its own error. */
  failTo(agentId: string, error: (request: SentMessage) => unknown): void {
    const requests = this.#awaited.get(agentId)
    if (requests !== undefined) for (const { message, waiter } of [...requests]) waiter?.fail(error(message))
  }

  failAll(error: (request: SentMessage) => unknown): void {
    for (const agentId of [...this.#awaited.keys()]) this.failTo(agentId, error)
  }

  failOne(message: SentMessage, error: () => unknown): void {
    const request = this.#requests.get(message.correlation_id ?? '')
    if (request?.message.message_id === message.message_id) request.waiter?.fail(error())
  }

  #sweep(): void {
    const now = this.#now()
    for (const [id, { expiresAt, waiter }] of this.#requests) {
      if (expiresAt <= now && waiter === undefined) this.#requests.delete(id)
    }
    this.#sweepAt = Math.max(FIRST_SWEEP, this.#requests.size * 2)
  }
}

/** True if a message goes from the recipient of a request back to its sender. A topic is open to all. */
export function answers(
  answer: Pick<SentMessage, 'sender_id' | 'recipient_id'>,
  request: Pick<Message, 'sender_id' | 'recipient_id'>,
): boolean {
  const toRequester = answer.recipient_id === null || answer.recipient_id === request.sender_id
  return toRequester && (request.recipient_id ?? answer.sender_id) === answer.sender_id
}
