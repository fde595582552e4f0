import { type Clock, timestamp, type Where } from '@minions/core'
import { type Logger, readMillis } from '@minions/core/plugin'
import { defineCollection, type StoreAccess } from '@minions/core/storage'
import { checkObject } from '../../arguments.js'
import { answers } from '../requests/open-requests.js'
import { MESSAGE_LIMITS, type Message, MessageSchema } from './message-schema.js'
import type { SentMessage } from './sent-message.js'

/** Stored messages. Records are exactly those of the specification. */
export const messagesCollection = defineCollection({
  name: 'messages',
  schema: MessageSchema,
  key: 'message_id',
  columns: {
    recipient_id: { type: 'string', indexed: true },
    topic: { type: 'string', indexed: true },
    correlation_id: { type: 'string', indexed: true },
    timestamp: { type: 'string', required: true, indexed: true },
  },
  createdAt: 'timestamp',
})

const FILTERS = ['recipient_id', 'topic', 'correlation_id', 'sender_id'] as const

/** A filter for stored messages. */
export type MessageFilter = Partial<Pick<Message, (typeof FILTERS)[number]>>

/** Maximum number of records that one clean-up transaction removes. */
const BATCH = 1000

/** Milliseconds between two clean-ups of expired records. */
const CLEAN_UP_EVERY = 60_000

export class MessageStore {
  readonly #store: StoreAccess
  readonly #clock: Clock
  readonly #log: Logger
  #cleanedAt: number
  #cleaning: Promise<unknown> = Promise.resolve()

  constructor(store: StoreAccess, clock: Clock, log: Logger) {
    this.#store = store
    this.#clock = clock
    this.#log = log
    this.#cleanedAt = readMillis(clock)
  }

  /** Stores a message. Throws `CONFLICT` if its id exists. Occasionally removes expired messages. */
  async save(message: Message): Promise<void> {
    await this.#store.put(messagesCollection, message, { ifAbsent: true })
    const now = readMillis(this.#clock)
    if (now - this.#cleanedAt < CLEAN_UP_EVERY) return
    this.#cleanedAt = now
    this.#cleaning = this.removeExpired().catch((error: unknown) => {
      this.#log.error('expired messages could not be removed', { error })
    })
  }

  async hasRequestFor(answer: SentMessage): Promise<boolean> {
    const found = await this.find({ correlation_id: answer.correlation_id })
    return found.some((message) => message.message_type === 'request' && answers(answer, message))
  }

  async settled(): Promise<void> {
    await this.#cleaning
  }

  async find(filter: MessageFilter): Promise<Message[]> {
    checkObject('The filter', filter)
    const given = FILTERS.filter((key) => filter[key] !== undefined)
    const where: Where = Object.fromEntries(given.map((key) => [key, filter[key] ?? null]))
    const found: Message[] = []
    const query = { where, orderBy: [{ field: 'timestamp' }] }
    for await (const { record } of this.#store.iterate(messagesCollection, query)) found.push(record)
    return found
  }

  async removeExpired(): Promise<number> {
    const now = readMillis(this.#clock)
    const youngest = timestamp(now - MESSAGE_LIMITS.ttl.min * 1000)
    const query = { where: { timestamp: { lte: youngest } }, orderBy: [{ field: 'timestamp' }] }
    const expired: string[] = []
    for await (const { record } of this.#store.iterate(messagesCollection, query)) {
      const life = (record.ttl ?? MESSAGE_LIMITS.ttl.default) * 1000
      if (Date.parse(record.timestamp) + life <= now) expired.push(record.message_id)
    }
    let removed = 0
    for (let start = 0; start < expired.length; start += BATCH) {
      removed += await this.#store.deleteMany(messagesCollection, expired.slice(start, start + BATCH))
    }
    return removed
  }
}
