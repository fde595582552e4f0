import { isMinionsError, messageOf } from '@minions/core'
import { guarded, readMillis } from '@minions/core/plugin'
import type { MessageTransport, SentMessage, TransportEndpoint, TransportLink } from '@minions/skills-runtime'
import type { Redis } from 'ioredis'
import { Membership } from '../cluster/membership.js'
import { checkServer } from '../connection/check-server.js'
import { openClient } from '../connection/open-client.js'
import { serverName } from '../connection/server-name.js'
import { redisError } from '../errors.js'
import { RedisLimits } from '../limits/redis-limits.js'
import { type RedisOptions, type ResolvedOptions, resolveOptions } from '../options.js'
import { Acknowledgements } from './acknowledgements.js'
import { type Answer, decodeFrame, errorOf, type Frame, type RequestBody } from './frame.js'
import { InboxReader } from './inbox-reader.js'
import { LocalEndpoints } from './local-endpoints.js'
import { type Answers, Outbox, type OutboxCounts } from './outbox.js'
import { Routes } from './routes.js'
import { SeenRequests } from './seen-requests.js'

/** Statistics of a transport. */
export interface RedisTransportStats extends Readonly<OutboxCounts> {
  /** Processes in the cluster, including this one. */
  readonly members: number
  /** Messages that wait for answers of other processes. */
  readonly pending: number
  readonly sent: number
  /** Messages of others that arrived here. */
  readonly received: number
  readonly reconnects: number
  /** How often Redis lost its data. */
  readonly losses: number
  /** Foreign entries. */
  readonly unreadable: number
}

/** Lifetime of queries and claims in milliseconds. */
const QUERY_LIFE = 30_000

/**
 * Carries messages between the buses of all processes with the same prefix. Throws `REDIS_UNREACHABLE`, `REDIS_REFUSED`,
 * `REDIS_UNSUPPORTED`, `REDIS_EVICTS` or `PREFIX_IN_USE`. Close it after the buses that use it.
 */
export const redisTransport = guarded('redisTransport', async (options: RedisOptions): Promise<RedisTransport> => {
  const resolved = resolveOptions(options)
  const writer = await openClient(resolved)
  let reader: Redis | undefined
  try {
    await checkServer(writer, serverName(resolved.url))
    reader = await openClient(resolved)
    const transport = new RedisTransport(writer, reader, resolved)
    await transport.open()
    return transport
  } catch (error) {
    reader?.disconnect()
    writer.disconnect()
    throw error
  }
})

/** A message transport on Redis; see `redisTransport`. */
export class RedisTransport implements MessageTransport {
  readonly #options: ResolvedOptions
  readonly #writer: Redis
  readonly #reader: Redis
  readonly #membership: Membership
  readonly #outbox: Outbox
  readonly #acks: Acknowledgements
  readonly #seen = new SeenRequests()
  readonly #endpoints = new LocalEndpoints()
  readonly #routes: Routes
  /** Limits across all processes of the cluster. */
  readonly limits: RedisLimits
  #inbox: InboxReader | undefined
  #isClosed = false
  #closing: Promise<void> | undefined
  #counts = { sent: 0, received: 0, reconnects: 0, unreadable: 0 }

  /** Use `redisTransport`, which also connects. */
  constructor(writer: Redis, reader: Redis, options: ResolvedOptions) {
    const { timers, logger, maxBacklog } = options
    this.#options = options
    this.#writer = writer
    this.#reader = reader
    this.#membership = new Membership(writer, options, {
      changed: (members) => this.#membersChanged(members),
      moved: () => this.#inbox?.interrupt(),
      rejoined: () => {
        this.#outbox.membersChanged(this.#membership.members)
        if (!this.#isAway) this.#outbox.resume()
      },
    })
    this.#outbox = new Outbox(this.#membership, () => timers.now(), maxBacklog)
    this.#acks = new Acknowledgements(this.#membership, timers, logger)
    this.#routes = new Routes(this.#endpoints, {
      query: (message) => this.#outbox.post('*', { kind: 'query', message: { ...message, payload: {} } }, QUERY_LIFE),
      send: async (member, message) => (await this.#post(member, message)) > 0,
    })
    this.limits = new RedisLimits({ client: writer, base: this.#membership.base, timers, logger })
    writer.on('ready', () => void this.#reconnected())
    writer.on('close', () => {
      this.#outbox.isPaused = true
      this.#watchExpiry()
    })
  }

  async open(): Promise<void> {
    const { timers, logger } = this.#options
    await this.#membership.join()
    this.#inbox = new InboxReader({
      reader: this.#reader,
      writer: this.#writer,
      timers,
      logger,
      inbox: () => this.#membership.inbox,
      onEntry: (text) => this.#receive(text),
    })
  }

  connect(endpoint: TransportEndpoint): TransportLink {
    let isOpen = !this.#isClosed
    if (isOpen) this.#endpoints.add(endpoint)
    return {
      dispatch: (message) => (isOpen && !this.#isClosed ? this.#dispatch(message, endpoint) : 0),
      claim: (agentId) => {
        if (isOpen && !this.#isClosed) this.#claim(agentId, endpoint)
      },
      close: () => {
        isOpen = false
        this.#endpoints.remove(endpoint)
      },
    }
  }

  stats(): RedisTransportStats {
    return {
      members: this.#membership.members.size,
      pending: this.#outbox.size,
      ...this.#counts,
      ...this.#outbox.counts,
      losses: this.#membership.losses,
    }
  }

  /** Leaves the cluster and closes the connections. Messages unanswered by then are counted as unconfirmed. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#isClosed = true
    this.#endpoints.clear()
    await this.#inbox?.close()
    this.#reader.disconnect()
    await this.#acks.close(this.#isAway)
    this.#outbox.close()
    const leaving = this.#membership.leave().catch((error: unknown) => {
      this.#options.logger.debug('could not leave the cluster', { error: messageOf(error) })
    })
    if (!this.#isAway) await leaving
    this.#writer.disconnect()
    await leaving
  }

  get #isAway(): boolean {
    return this.#writer.status !== 'ready'
  }

  async #dispatch(message: SentMessage, own: TransportEndpoint): Promise<number> {
    this.#checkSize(message)
    this.#counts.sent++
    if (message.recipient_id !== null) return this.#routes.toOne(message, own)
    let here: Promise<number> | undefined
    // Delivered here only once Redis has it for the others: what Redis refuses must be delivered nowhere.
    const there = await this.#post('*', message, () => {
      here = this.#endpoints.toAll(message)
      here.catch(() => {})
    })
    return there + ((await here) ?? 0)
  }

  /** Sends a message to all others (`*`) or to one member; resolves to how many endpoints accepted it. */
  async #post(to: string, message: SentMessage, onSent?: () => void): Promise<number> {
    const body: RequestBody = { kind: 'message', at: this.#sentAt(message), message }
    return sumOf(await this.#outbox.post(to, body, message.ttl * 1000, onSent))
  }

  /** When a message began to live, by the clock of Redis. A timestamp ahead of our clock must not prolong it. */
  #sentAt({ timestamp }: SentMessage): number {
    return this.#membership.now() - Math.max(0, readMillis(this.#options.clock) - Date.parse(timestamp))
  }

  #checkSize(message: SentMessage): void {
    const { maxMessageBytes } = this.#options
    const bytes = Buffer.byteLength(JSON.stringify(message))
    if (bytes <= maxMessageBytes) return
    const text = `The message has ${bytes} bytes, of at most ${maxMessageBytes}; store the content and send a reference, or raise "maxMessageBytes".`
    throw redisError('MESSAGE_TOO_LARGE', text, {
      details: { message_id: message.message_id, bytes, maxMessageBytes },
    })
  }

  #claim(agentId: string, own: TransportEndpoint): void {
    for (const message of this.#endpoints.release(agentId, own)) void this.#handOver(message)
    this.#outbox.post('*', { kind: 'claim', agent: agentId }, QUERY_LIFE).catch((error: unknown) => {
      this.#options.logger.warn('others do not know where an agent receives', { agentId, error: messageOf(error) })
    })
  }

  /** Forwards messages to their recipient; if refused there, they become dead letters or stay here. */
  async #handOver(message: SentMessage, member?: string): Promise<void> {
    try {
      if (member !== undefined && (await this.#post(member, message)) > 0) return
      await this.#endpoints.toFirst(message)
    } catch (error) {
      this.#options.logger.warn('messages could not be forwarded to their recipient', { error: messageOf(error) })
      if (member !== undefined) await this.#endpoints.toFirst(message).catch(() => {})
    }
  }

  #receive(text: string): void {
    const frame = decodeFrame(text)
    if (frame === undefined) {
      if (text !== '') this.#counts.unreadable++
      return
    }
    if ('acks' in frame) for (const [seq, answer] of frame.acks) this.#outbox.answered(frame.from, seq, answer)
    else this.#handle(frame)
  }

  #handle({ from, seq, low, body }: Extract<Frame, { seq: number }>): void {
    const until = body.kind === 'message' ? body.at + body.message.ttl * 1000 : this.#membership.now() + QUERY_LIFE
    const { again, answer } = this.#seen.note(from, seq, low, until)
    if (again) {
      if (answer !== undefined) this.#acks.add(from, seq, answer)
      return
    }
    const reply = (result: Answer) => {
      this.#seen.answer(from, seq, result)
      this.#acks.add(from, seq, result)
    }
    this.#perform(from, body).then(reply, (error: unknown) => reply(answerOf(error)))
  }

  async #perform(from: string, body: RequestBody): Promise<number> {
    if (body.kind === 'query') return Number(this.#endpoints.expects(body.message))
    if (body.kind === 'claim') {
      this.#routes.claimed(body.agent, from)
      for (const message of this.#endpoints.release(body.agent)) void this.#handOver(message, from)
      return 1
    }
    const { message, at } = body
    this.#counts.received++
    this.#routes.noteSender(message, from)
    const age = Math.max(0, this.#membership.now() - at)
    if (message.recipient_id === null) return this.#endpoints.toAll(message, age)
    return Number(await this.#endpoints.toFirst(message, age))
  }

  #membersChanged(members: ReadonlyMap<string, string>): void {
    this.#outbox.membersChanged(members)
    this.#seen.forgetGone(members, this.#membership.now())
    if (this.#outbox.isPaused && !this.#isAway) this.#outbox.resume()
  }

  async #reconnected(): Promise<void> {
    const { logger, url } = this.#options
    this.#counts.reconnects++
    try {
      await this.#membership.check()
      await checkServer(this.#writer, serverName(url))
    } catch (error) {
      logger.error('Redis is back, but not usable', { error: messageOf(error) })
    }
  }

  /** Drops messages that expire while Redis is unavailable. */
  #watchExpiry(): void {
    this.#outbox.dropExpired(this.#isAway)
    if (!this.#isClosed && this.#isAway) this.#options.timers.set(100, () => this.#watchExpiry(), { background: true })
  }
}

function sumOf(answers: Answers): number {
  let sum = 0
  for (const answer of answers.values()) {
    if (typeof answer !== 'number') throw errorOf(answer)
    sum += answer
  }
  return sum
}

function answerOf(error: unknown): Answer {
  if (isMinionsError(error)) return { code: error.code, message: error.message, details: { ...error.details } }
  return { code: 'REDIS_FAILED', message: `A process could not accept the message: ${messageOf(error)}`, details: {} }
}
