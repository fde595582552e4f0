import { createHash, randomUUID } from 'node:crypto'
import { repeat } from '@minions/core/coordination'
import { Client, type Pool } from 'pg'

/** Milliseconds between two looks at the feed while notices arrive, and while they do not. */
const SLOW_POLL = 1000
const FAST_POLL = 100
/** Milliseconds between two attempts to listen. */
const RETRY = 2000
/** Milliseconds between two notices of this process: several commits need not be told one by one. */
const NOTICE_EVERY = 20

/** The channel of a schema: all programs that have the store open use the same. */
export function channelOf(schema: string): string {
  return `minions_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`
}

/**
 * Tells other programs of commits, and hears of theirs. A notice is not part of the transaction, whose commit would then wait
 * for that of every other that sends one, so it can be lost; and behind some poolers none arrives. Therefore the feed is
 * also polled: rarely while notices are known to arrive, often while they are not.
 */
export class Notices {
  readonly #pool: Pool
  readonly #channel: string
  readonly #wake: () => void
  #client: Client | undefined
  /** A notice of ours that has not come back yet; the first that does shows that notices arrive. */
  #probe: string | undefined
  #arrive = false
  #isListening = false
  #stopRetrying: (() => void) | undefined
  #polledAt = 0
  #sending: Promise<unknown> | undefined
  #sendAgain = false
  #ending: Promise<void> | undefined

  constructor(pool: Pool, schema: string, wake: () => void) {
    this.#pool = pool
    this.#channel = channelOf(schema)
    this.#wake = wake
  }

  /** Tells other programs that something was committed. Never rejects. */
  tell(): void {
    this.#sendAgain = true
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  /** Begins to listen, and goes on to try where that fails. */
  listen(): void {
    if (this.#isListening) return
    this.#isListening = true
    // With a single connection there is no second one to listen on.
    if (this.#pool.options.max === 1) return
    const connect = () => this.#connect()
    void connect()
    this.#stopRetrying = repeat(RETRY, connect, () => {})
  }

  /** Ends listening. */
  deafen(): void {
    this.#isListening = false
    this.#stopRetrying?.()
    const client = this.#client
    this.#lose(client)
    this.#ending = client?.end().catch(() => {})
  }

  /** Ends listening and telling, and waits until no connection is in use. */
  async close(): Promise<void> {
    this.deafen()
    this.#sendAgain = false
    await this.#ending
    await this.#sending
  }

  /** Whether it is time to look at the feed without a notice. */
  isPollDue(): boolean {
    const now = performance.now()
    if (now - this.#polledAt < (this.#arrive ? SLOW_POLL : FAST_POLL)) return false
    this.#polledAt = now
    return true
  }

  async #send(): Promise<void> {
    while (this.#sendAgain) {
      this.#sendAgain = false
      await this.#notify('')
      await new Promise((resolve) => setTimeout(resolve, NOTICE_EVERY))
    }
  }

  async #notify(payload: string): Promise<void> {
    // A notice that is lost is made up for by the poll.
    await this.#pool.query('SELECT pg_notify($1, $2)', [this.#channel, payload]).catch(() => {})
  }

  async #connect(): Promise<void> {
    if (this.#client || !this.#isListening) return
    const client = new Client(this.#pool.options)
    this.#client = client
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    client.on('notification', ({ payload }) => this.#hear(payload))
    try {
      await client.connect()
      await client.query(`LISTEN ${this.#channel}`)
      this.#probe = randomUUID()
      await this.#notify(this.#probe)
    } catch {
      this.#lose(client)
      await client.end().catch(() => {})
    }
  }

  #hear(payload: string | undefined): void {
    if (payload === this.#probe) this.#arrive = true
    this.#wake()
  }

  #lose(client: Client | undefined): void {
    if (client !== this.#client) return
    this.#client = undefined
    this.#arrive = false
  }
}
