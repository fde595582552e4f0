import { messageOf } from '@minions/core'
import { sleep, type Timers } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import type { Redis } from 'ioredis'

const BATCH = 500
/** Milliseconds for which a read waits in Redis. */
const WAIT = 2000
const PAUSE_AFTER_FAILURE = 50

export interface InboxReaderOptions {
  /** A dedicated connection, since reading blocks it. */
  readonly reader: Redis
  readonly writer: Redis
  readonly timers: Timers
  readonly logger: Logger
  readonly inbox: () => string
  readonly onEntry: (text: string) => void
}

/**
 * Reads what was sent to this member. An entry is removed from Redis only after it was handed over, so a broken
 * connection loses none.
 */
export class InboxReader {
  readonly #options: InboxReaderOptions
  readonly #ended: Promise<void>
  #isClosed = false
  #lastId = '0-0'
  #key = ''

  constructor(options: InboxReaderOptions) {
    this.#options = options
    this.#ended = this.#run()
  }

  /** Ends a read that waits at an outdated inbox. */
  interrupt(): void {
    this.#options.reader.disconnect(true)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.reader.disconnect()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { timers, logger } = this.#options
    while (!this.#isClosed) {
      try {
        await this.#readBatch()
      } catch (error) {
        if (this.#isClosed) return
        logger.debug('reading from Redis was interrupted', { error: messageOf(error) })
        await sleep(PAUSE_AFTER_FAILURE, timers)
      }
    }
  }

  async #readBatch(): Promise<void> {
    const { reader, writer, inbox, onEntry } = this.#options
    if (this.#key !== inbox()) {
      this.#key = inbox()
      this.#lastId = '0-0'
    }
    const key = this.#key
    const streams = await reader.xread('COUNT', BATCH, 'BLOCK', WAIT, 'STREAMS', key, this.#lastId)
    const entries = streams?.[0]?.[1] ?? []
    if (entries.length === 0 || key !== inbox()) return
    for (const [id, fields] of entries) {
      this.#lastId = id
      onEntry(fields[1] ?? '')
    }
    // Fails only while Redis is unavailable, and is then repeated with the next batch.
    writer.xtrim(key, 'MINID', after(this.#lastId)).catch(() => {})
  }
}

function after(id: string): string {
  const [millis = '0', number = '0'] = id.split('-')
  return `${millis}-${BigInt(number) + 1n}`
}
