import type { AgentPresence, MessageBusOptions } from '../bus-options.js'
import { SYSTEM_SENDER } from '../message/message-schema.js'
import { expiryOf, type SentMessage } from '../message/sent-message.js'
import type { OpenRequests } from '../requests/open-requests.js'
import { agentEnded, busClosed, lostRequest, mailboxFull } from '../requests/request-errors.js'
import type { TransportEndpoint } from '../transport/transport.js'
import type { DeadLetterReason } from './dead-letter.js'
import { Inboxes } from './inboxes.js'
import type { Ledger } from './ledger.js'
import type { MailboxOptions } from './mailbox.js'
import { type MessageHandler, Subscription } from './subscription.js'
import { Subscriptions } from './subscriptions.js'

/** The receiving half of a bus: mailboxes, subscriptions, and the requests that wait for a response. */
export class LocalDelivery implements TransportEndpoint {
  readonly inboxes: Inboxes
  readonly #mailbox: MailboxOptions
  readonly #ledger: Ledger
  readonly #requests: OpenRequests
  readonly #presenceOf: NonNullable<MessageBusOptions['agents']>
  readonly #runsHere: NonNullable<MessageBusOptions['runsHere']>
  readonly #topics = new Subscriptions()
  /** All subscriptions with a handler, including those that ended while it was running. */
  readonly #handlers = new Set<Subscription>()
  /** Agents that have received here, until they receive elsewhere or end. */
  readonly #residents = new Set<string>()
  #isClosed = false

  constructor(
    mailbox: MailboxOptions,
    requests: OpenRequests,
    { agents = () => true, runsHere = () => false }: Pick<MessageBusOptions, 'agents' | 'runsHere'>,
  ) {
    this.#mailbox = mailbox
    this.#ledger = mailbox.ledger
    this.#requests = requests
    this.#presenceOf = agents
    this.#runsHere = runsHere
    this.inboxes = new Inboxes(mailbox)
  }

  get pending(): number {
    return this.inboxes.size + [...this.#handlers].reduce((sum, subscription) => sum + subscription.size, 0)
  }

  /** The state of an agent, synchronously if possible. */
  presence(agentId: string): AgentPresence | Promise<AgentPresence> {
    return agentId === SYSTEM_SENDER ? true : this.#presenceOf(agentId)
  }

  deliver(message: SentMessage, composedAt?: number, age?: number): boolean | Promise<boolean> {
    if (this.#isClosed) return false
    const now = composedAt ?? this.#ledger.now()
    const isAged = composedAt === undefined && age === undefined
    const expiresAt = isAged ? expiryOf(message, now) : now + message.ttl * 1000 - (age ?? 0)
    this.#requests.note(message, expiresAt)
    if (message.topic !== null) return this.#deliverToTopic(message.topic, message, expiresAt, now)
    if (message.message_type === 'response' || message.message_type === 'error') {
      const outcome = this.#requests.settle(message)
      if (outcome === 'late') return this.lose(message, 'LATE_RESPONSE')
      if (outcome === 'settled') {
        this.#ledger.accept()
        this.#ledger.delivered()
        return true
      }
    }
    const agentId = message.recipient_id ?? ''
    const presence = this.presence(agentId)
    return presence instanceof Promise
      ? presence.then((found) => this.#deliverToAgent(agentId, found, message, expiresAt))
      : this.#deliverToAgent(agentId, presence, message, expiresAt)
  }

  expects(message: SentMessage): boolean {
    if (this.#isClosed || message.recipient_id === null) return false
    if (this.#requests.isAwaited(message)) return true
    return this.#residents.has(message.recipient_id) || this.#runsHere(message.recipient_id)
  }

  /** Records that an agent receives here; true if that is new. */
  settleIn(agentId: string): boolean {
    if (this.#residents.has(agentId)) return false
    this.#residents.add(agentId)
    return true
  }

  release(agentId: string): readonly SentMessage[] {
    // If two receive as the same agent, neither takes the other's messages.
    if (this.#runsHere(agentId) || this.inboxes.hasReader(agentId)) return []
    this.#residents.delete(agentId)
    return this.inboxes.release(agentId)
  }

  /** Counts a message that was not delivered. */
  lose(message: SentMessage, reason: DeadLetterReason): true {
    this.#ledger.accept()
    this.#ledger.dead({ message, target: message.topic ?? message.recipient_id ?? '', expiresAt: 0 }, reason)
    return true
  }

  subscribe(pattern: string | RegExp, subscriber: MessageHandler | string): () => void {
    if (typeof subscriber === 'string') {
      const put = (message: SentMessage, expiresAt: number) => this.inboxes.put(subscriber, message, expiresAt)
      return this.#topics.add(pattern, { put }, subscriber)
    }
    const subscription = new Subscription(String(pattern), subscriber, this.#mailbox)
    const remove = this.#topics.add(pattern, subscription)
    this.#handlers.add(subscription)
    return () => {
      if (!remove()) return
      subscription.close('UNSUBSCRIBED')
      void subscription.idle().then(() => this.#handlers.delete(subscription))
    }
  }

  closeMailbox(agentId: string): void {
    this.#residents.delete(agentId)
    this.#topics.removeAgent(agentId)
    this.inboxes.close(agentId, 'AGENT_ENDED', agentEnded)
    this.#requests.failTo(agentId, unanswered)
  }

  dropExpired(): void {
    this.inboxes.dropExpired()
    for (const subscription of this.#handlers) subscription.dropExpired()
  }

  async drain(): Promise<void> {
    while ([...this.#handlers].some(({ size }) => size > 0)) {
      await Promise.all([...this.#handlers].map((subscription) => subscription.idle()))
    }
  }

  close(): void {
    this.#isClosed = true
    for (const subscription of this.#handlers) subscription.close('CLOSED')
    this.inboxes.closeAll('CLOSED', busClosed)
    this.#requests.failAll(busClosed)
  }

  #deliverToAgent(
    agentId: string,
    presence: AgentPresence,
    message: SentMessage,
    expiresAt: number,
  ): boolean | Promise<boolean> {
    if (!presence) return false
    if (presence === 'ended') return this.lose(message, 'AGENT_ENDED')
    if (this.#isClosed) return this.lose(message, 'CLOSED')
    this.#ledger.accept()
    const taken = this.inboxes.put(agentId, message, expiresAt)
    if (taken === false) throw mailboxFull(message)
    return taken
  }

  #deliverToTopic(topic: string, message: SentMessage, expiresAt: number, now: number): boolean | Promise<boolean> {
    const subscribers = this.#topics.for(topic)
    let waiting: Promise<boolean>[] | undefined
    this.#ledger.accept(subscribers.length)
    for (const subscriber of subscribers) {
      const taken = subscriber.put(message, expiresAt, now)
      if (typeof taken === 'boolean') continue
      waiting ??= []
      waiting.push(taken)
    }
    return waiting === undefined ? subscribers.length > 0 : Promise.all(waiting).then(() => true)
  }
}

function unanswered(request: SentMessage): Error {
  return lostRequest(request, 'AGENT_ENDED')
}
