import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { RedisOptions } from '../../src/index.ts'
import { type RedisTransport, redisTransport } from '../../src/index.ts'

/** A real server to test on; without it the suites that need one are skipped. */
export const serverUrl = process.env.MINIONS_TEST_REDIS_URL

/** Options of tests that are skipped without a server. */
export const needsServer = { meta: { needs: 'a Redis server: set MINIONS_TEST_REDIS_URL' } }

/** A prefix for one test, and what joins under it; `close` leaves nothing behind. */
export class TestNetwork {
  readonly prefix = `minions-test-${randomUUID()}`
  readonly #url: string
  readonly #transports: RedisTransport[] = []

  constructor(url = serverUrl ?? '') {
    this.#url = url
  }

  options(options: Partial<RedisOptions> = {}): RedisOptions {
    return { url: this.#url, prefix: this.prefix, ...options }
  }

  async join(options: Partial<RedisOptions> = {}): Promise<RedisTransport> {
    const transport = await redisTransport(this.options(options))
    this.#transports.push(transport)
    return transport
  }

  async close(): Promise<void> {
    await Promise.all(this.#transports.map((transport) => transport.close()))
  }

  /** Keys that are there. */
  async keys(): Promise<string[]> {
    return withClient(this.#url, (client) => client.keys(`{${this.prefix}}*`))
  }
}

/** Uses a connection of its own. */
export async function withClient<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { lazyConnect: true })
  // What fails is told to the caller.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    client.disconnect()
  }
}
