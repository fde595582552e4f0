import { generateId, TypedEmitter } from '@minions/core'
import { systemTimers, type Timers, withDeadline } from '@minions/core/coordination'
import { isRecord, type JsonObject } from '@minions/core/json'
import { guarded, guardMethods, silentLogger } from '@minions/core/plugin'
import { checkMillis, checkObject, checkSignal } from '../arguments.js'
import { skillsError } from '../errors.js'
import type {
  AgentPresence,
  CloseOptions,
  MessageBusOptions,
  ReplyOptions,
  RequestOptions,
  SendOptions,
} from './bus-options.js'
import { checkAgentId, checkBusOptions, checkCorrelation, checkFresh, checkSender } from './checks.js'
import type { DeadLetter } from './delivery/dead-letter.js'
import type { ReceiveOptions } from './delivery/inbox.js'
import { type BusEvents, type BusStats, Ledger } from './delivery/ledger.js'
import { LocalDelivery } from './delivery/local-delivery.js'
import type { MessageHandler } from './delivery/subscription.js'
import { assertSubscribable } from './delivery/topic-pattern.js'
import { completeMessage, composeMessage } from './message/compose-message.js'
import { type Message, type MessageInput, SYSTEM_SENDER } from './message/message-schema.js'
import { type MessageFilter, MessageStore } from './message/message-store.js'
import type { SentMessage } from './message/sent-message.js'
import { awaitResponse } from './requests/await-response.js'
import { OpenRequests } from './requests/open-requests.js'
import { busClosed, lostRequest, waitCycle } from './requests/request-errors.js'
import { WaitGraph } from './requests/wait-graph.js'
import { inProcessTransport } from './transport/in-process-transport.js'
import type { TransportLink } from './transport/transport.js'

const NO_OPTIONS: SendOptions = Object.freeze({})

/** A payload is copied within the limits of a record. */
const COPIED = { checksInside: false } as const

/**
 * Carries messages between agents: to a topic or to one agent, by priority, until they expire. Every delivery is
 * counted exactly once as delivered, expired or dead letter. What a handler throws reaches neither the sender nor the
 * other subscribers.
 */
export class MessageBus {
  readonly events: TypedEmitter<BusEvents>
  readonly #newId: () => string
  readonly #timers: Timers
  readonly #ledger: Ledger
  readonly #requests: OpenRequests
  readonly #waits = new WaitGraph()
  readonly #here: LocalDelivery
  readonly #link: TransportLink
  readonly #store: MessageStore | undefined
  readonly #publish = guarded(
    'MessageBus.publish',
    (topic: string, payload: JsonObject, options?: SendOptions) => this.#post(topic, null, payload, options),
    COPIED,
  )
  readonly #sendTo = guarded(
    'MessageBus.send',
    (agentId: string, payload: JsonObject, options?: SendOptions) => this.#post(null, agentId, payload, options),
    COPIED,
  )
  #isClosed = false

  constructor(given: MessageBusOptions = {}) {
    const options = checkBusOptions(given)
    const { clock = Date.now, timers = systemTimers, logger = silentLogger } = options
    this.#newId = options.ids ?? generateId
    this.#timers = timers
    this.events = new TypedEmitter({
      onError: (error, event) => logger.error('a listener of the bus failed', { event, error }),
    })
    this.#ledger = new Ledger({
      clock,
      logger,
      events: this.events,
      keep: options.deadLetterLimit ?? 1000,
      onLost: (message, reason) => this.#requests.failOne(message, () => lostRequest(message, reason)),
    })
    this.#requests = new OpenRequests(() => this.#ledger.now())
    const { mailboxLimit: limit = 1000, overflow = 'wait' } = options
    this.#here = new LocalDelivery({ limit, overflow, ledger: this.#ledger, timers }, this.#requests, options)
    this.#link = (options.transport ?? inProcessTransport()).connect(this.#here)
    this.#store = options.store && new MessageStore(options.store, clock, logger)
  }

  /** Sends a message, by default an event, to all subscribers of a topic. Resolves to its record. */
  publish(topic: string, payload: JsonObject, options?: SendOptions): Promise<SentMessage> {
    try {
      return Promise.resolve(this.#publish(topic, payload, options))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /**
   * Sends a message to one agent and resolves to its record once it is in the mailbox. By default it is an event, or a
   * response if it has the correlation id of a request of the recipient. With `overflow: 'reject'` throws
   * `MAILBOX_FULL`.
   */
  send(agentId: string, payload: JsonObject, options?: SendOptions): Promise<SentMessage> {
    try {
      return Promise.resolve(this.#sendTo(agentId, payload, options))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Sends a message given as a record; absent attributes get the usual defaults, except sender and type. */
  async dispatch(message: MessageInput): Promise<SentMessage> {
    return this.#send(completeMessage(message, this.#newId, this.#ledger.now()))
  }

  /**
   * Sends a request to one agent and resolves to the response. Throws `REQUEST_TIMEOUT`; `REQUEST_FAILED` when the answer
   * is an error or the request cannot be delivered; `WAIT_CYCLE` when the recipient waits, directly or through others,
   * for a response of the sender: an agent that waits counts as unable to answer.
   */
  async request(agentId: string, payload: JsonObject, options: RequestOptions = {}): Promise<SentMessage> {
    checkObject('The request', options)
    const { timeoutMs, timeout = timeoutMs, signal } = options
    checkMillis('The request', 'timeout', timeout)
    checkSignal('The request', signal)
    signal?.throwIfAborted()
    const now = this.#ledger.now()
    const request = composeMessage(null, agentId, payload, 'request', options, this.#newId, now)
    checkFresh(request, this.#requests.has(request.correlation_id))
    const { sender_id } = request
    const send = async () => this.#send(request, now)
    const respond = () => awaitResponse(this.#requests, request, now, send, { timeout, signal, timers: this.#timers })
    if (sender_id === SYSTEM_SENDER) return respond()
    const cycle = this.#waits.cycle(sender_id, agentId)
    if (cycle !== undefined) throw waitCycle(cycle)
    const endWait = this.#waits.add(sender_id, agentId)
    try {
      return await respond()
    } finally {
      endWait()
    }
  }

  /** Answers a request as its recipient. A late answer becomes a dead letter. */
  async reply(request: Message, payload: JsonObject, options: ReplyOptions = {}): Promise<SentMessage> {
    checkObject('The reply', options)
    checkCorrelation(isRecord(request))
    const { correlation_id, sender_id: requester, recipient_id } = request
    const sender_id = options.sender_id ?? recipient_id ?? SYSTEM_SENDER
    const answering = { ...options, sender_id, correlation_id: correlation_id ?? undefined }
    const type = options.message_type ?? 'response'
    const now = this.#ledger.now()
    const answer = composeMessage(null, requester, payload, type, answering, this.#newId, now)
    if (this.#requests.answeredBy(answer) !== undefined) return this.#send(answer, now)
    checkCorrelation(request.message_type === 'request')
    await this.#accept(answer, true)
    this.#here.lose(answer, 'LATE_RESPONSE')
    return answer
  }

  /**
   * Calls the handler with each message to a topic, or to every topic that matches a pattern: `*` stands for one
   * segment between dots, `**` for any number of them. Given an agent's id instead, puts the messages into its mailbox.
   * Returns the function that ends the subscription.
   */
  subscribe(pattern: string | RegExp, subscriber: MessageHandler | string): () => void {
    this.#assertOpen()
    assertSubscribable(pattern, subscriber)
    return this.#here.subscribe(pattern, subscriber)
  }

  /** The next message in an agent's mailbox, most urgent first; waits if there is none. Throws `RECEIVE_TIMEOUT`. */
  async receive(agentId: string, options: ReceiveOptions = {}): Promise<SentMessage> {
    this.#assertOpen()
    checkAgentId(agentId)
    checkObject('The call', options)
    checkMillis('The call', 'timeout', options.timeout ?? options.timeoutMs)
    checkSignal('The call', options.signal)
    const received = this.#here.inboxes.receive(agentId, options)
    this.#claim(agentId)
    return received
  }

  /** Like `receive`, without waiting. */
  tryReceive(agentId: string): SentMessage | undefined {
    checkAgentId(agentId)
    if (!this.#isClosed) this.#claim(agentId)
    return this.#here.inboxes.take(agentId)
  }

  /**
   * Closes an agent's mailbox: its messages become dead letters, its subscriptions end, requests to it fail at once.
   */
  closeMailbox(agentId: string): void {
    checkAgentId(agentId)
    this.#here.closeMailbox(agentId)
  }

  /** The last messages that could not be delivered, oldest first. */
  deadLetters(): readonly DeadLetter[] {
    return this.#ledger.deadLetters()
  }

  stats(): BusStats {
    this.#here.dropExpired()
    return this.#ledger.stats(this.#here.pending)
  }

  /** Stored messages, oldest first; throws `CAPABILITY_MISSING` when the bus stores none. */
  async stored(filter: MessageFilter = {}): Promise<Message[]> {
    if (this.#store !== undefined) return this.#store.find(filter)
    throw skillsError('CAPABILITY_MISSING', 'This bus stores no messages; pass it a "store".')
  }

  /**
   * Removes expired messages from mailboxes and store, and resolves to the number of records. The bus does this
   * automatically.
   */
  async cleanUp(): Promise<number> {
    this.#here.dropExpired()
    return (await this.#store?.removeExpired()) ?? 0
  }

  /** Resolves when no handler is running and none has messages waiting. */
  drain(): Promise<void> {
    return this.#here.drain()
  }

  /**
   * Lets the handlers finish, at most until the deadline, and closes the bus: remaining messages become dead letters,
   * and waiting callers are rejected with `CLOSED`.
   */
  async close(options: CloseOptions = {}): Promise<void> {
    checkObject('The message bus', options)
    const { deadline = 5000 } = options
    checkMillis('The message bus', 'deadline', deadline)
    if (this.#isClosed) return
    await withDeadline(this.drain(), { timeout: deadline, timers: this.#timers, expired: () => {} })
    this.#isClosed = true
    this.#here.close()
    await this.#link.close()
    await this.#store?.settled()
  }

  /** Requests messages waiting at other buses when an agent first receives here. */
  #claim(agentId: string): void {
    if (this.#here.settleIn(agentId)) this.#link.claim?.(agentId)
  }

  #isAnswer(correlation_id: string | undefined, sender_id: string, recipient_id: string | null): boolean {
    if (!correlation_id || recipient_id === null) return false
    return this.#requests.answeredBy({ correlation_id, sender_id, recipient_id }) !== undefined
  }

  #post(
    topic: string | null,
    agentId: string | null,
    payload: JsonObject,
    options: SendOptions = NO_OPTIONS,
  ): SentMessage | Promise<SentMessage> {
    checkObject('The message', options)
    const { correlation_id, sender_id = SYSTEM_SENDER } = options
    const type = options.message_type ?? (this.#isAnswer(correlation_id, sender_id, agentId) ? 'response' : 'event')
    const now = this.#ledger.now()
    return this.#send(composeMessage(topic, agentId, payload, type, options, this.#newId, now), now)
  }

  /**
   * Stays synchronous where possible, which is faster and preserves the order of sending. `now`: it was just composed.
   */
  #send(message: SentMessage, now?: number): SentMessage | Promise<SentMessage> {
    const accepted = this.#accept(message)
    return accepted === undefined ? this.#dispatch(message, now) : accepted.then(() => this.#dispatch(message))
  }

  #dispatch(message: SentMessage, now?: number): SentMessage | Promise<SentMessage> {
    const taken = this.#link.dispatch(message, now)
    return typeof taken === 'number' ? this.#sent(message, taken) : taken.then((count) => this.#sent(message, count))
  }

  #sent(message: SentMessage, taken: number): SentMessage {
    if (taken === 0) this.#here.lose(message, message.topic === null ? 'UNKNOWN_RECIPIENT' : 'NO_SUBSCRIBER')
    return message
  }

  /** Checks the references of a message and stores it. Stays synchronous where possible, which keeps sending fast. */
  #accept(message: SentMessage, isLinked = this.#isLinked(message)): Promise<void> | undefined {
    this.#assertOpen()
    const presence = this.#here.presence(message.sender_id)
    if (presence instanceof Promise || !presence || !isLinked || this.#store !== undefined) {
      return this.#acceptSlowly(message, presence, isLinked)
    }
    this.#ledger.sent(message)
    return undefined
  }

  #isLinked(message: SentMessage): boolean {
    return message.message_type !== 'response' || this.#requests.answeredBy(message) !== undefined
  }

  async #acceptSlowly(
    message: SentMessage,
    presence: AgentPresence | Promise<AgentPresence>,
    isLinked: boolean,
  ): Promise<void> {
    checkSender(message, await presence)
    checkCorrelation(isLinked || (await this.#store?.hasRequestFor(message)) === true)
    await this.#store?.save(message)
    this.#assertOpen()
    this.#ledger.sent(message)
  }

  #assertOpen(): void {
    if (this.#isClosed) throw busClosed()
  }
}

// What sends is guarded where it is synchronous, which saves a promise for each message.
guardMethods(MessageBus, { callsBack: ['subscribe'], except: ['publish', 'send'] })
