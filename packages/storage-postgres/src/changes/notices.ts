import { createHash, randomUUID } from 'node:crypto'
import { repeat, sleep, systemTimers } from '@minions/core/coordination'
import type { Wake } from '@minions/core/storage'
import { Client, type Pool } from 'pg'

/**
 * Milliseconds between two checks of the feed while notifications arrive, and while they do not. The commit of a process
 * that was killed before its notification waits for the next check; an idle store should be asked rarely.
 */
const SLOW_POLL = 2000
const FAST_POLL = 100
/** Milliseconds between two attempts to listen. */
const RETRY = 2000
/** Milliseconds between two notifications of this process: several commits are reported together. */
const NOTICE_EVERY = 20

/** Characters of a notification; PostgreSQL allows 7,999 bytes. */
const MAX_PAYLOAD = 7000

/** The notification channel of a schema, used by all programs that have the store open. */
export function channelOf(schema: string): string {
  return `minions_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`
}

/**
 * Notifies other programs of commits, and receives their notifications. A notification is not part of the transaction,
 * whose commit would then wait for that of every other notifying transaction, so it can be lost; and behind some
 * poolers none arrives. Therefore the feed is also polled: rarely while notifications are known to arrive, often while
 * they are not.
 */
export class Notices {
  readonly #pool: Pool
  readonly #channel: string
  readonly #wake: Wake
  #client: Client | undefined
  /** A notification of ours that has not come back yet; the first that does proves that notifications arrive. */
  #probe: string | undefined
  #arrive = false
  #isListening = false
  #stopRetrying: (() => void) | undefined
  #polledAt = 0
  #sending: Promise<unknown> | undefined
  /** Collections of commits that have not been reported yet. */
  #unsent = new Set<string>()
  #ending: Promise<void> | undefined
  readonly #closed = new AbortController()

  constructor(pool: Pool, schema: string, wake: Wake) {
    this.#pool = pool
    this.#channel = channelOf(schema)
    this.#wake = wake
  }

  /** Notifies other programs of a commit to these collections. Never rejects. */
  tell(collections: Iterable<string>): void {
    for (const collection of collections) this.#unsent.add(collection)
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  /** Starts listening, and keeps trying if that fails. */
  listen(): void {
    if (this.#isListening) return
    this.#isListening = true
    // With a single connection there is no second one to listen on.
    if (this.#pool.options.max === 1) return
    const connect = () => this.#connect()
    void connect()
    this.#stopRetrying = repeat(RETRY, connect, () => {})
  }

  deafen(): void {
    this.#isListening = false
    this.#stopRetrying?.()
    const client = this.#client
    this.#lose(client)
    this.#ending = client?.end().catch(() => {})
  }

  /** Stops listening, reports the last commits at once, and waits until no connection is in use. */
  async close(): Promise<void> {
    this.deafen()
    this.#closed.abort()
    await this.#ending
    await this.#sending
  }

  /** True if it is time to check the feed without a notification. */
  isPollDue(): boolean {
    const now = performance.now()
    if (now - this.#polledAt < (this.#arrive ? SLOW_POLL : FAST_POLL)) return false
    this.#polledAt = now
    return true
  }

  async #send(): Promise<void> {
    while (this.#unsent.size > 0) {
      const names = [...this.#unsent].join(' ')
      this.#unsent.clear()
      await this.#notify(names.length > MAX_PAYLOAD ? '' : names)
      await sleep(NOTICE_EVERY, systemTimers, this.#closed.signal).catch(() => {})
    }
  }

  async #notify(payload: string): Promise<void> {
    // Polling makes up for a lost notification.
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
    this.#wake(collectionsIn(payload))
  }

  #lose(client: Client | undefined): void {
    if (client !== this.#client) return
    this.#client = undefined
    this.#arrive = false
  }
}

/** The collections that a notification names; undefined for one that names none, such as a probe. */
function collectionsIn(payload = ''): ReadonlySet<string> | undefined {
  return /^[a-z][a-z0-9_ ]*$/.test(payload) ? new Set(payload.split(' ')) : undefined
}
