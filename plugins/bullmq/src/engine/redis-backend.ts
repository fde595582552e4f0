import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { Backend } from './bullmq-engine.js'

/** BullMQ on Redis. Adding fails at once while Redis is unavailable, and workers wait for it. */
export function redisBackend(url: string, prefix: string): Backend & { readonly client: Redis } {
  const shared = { maxRetriesPerRequest: null, retryStrategy: (attempt: number) => Math.min(attempt * 20, 500) }
  const client = new Redis(url, { ...shared, lazyConnect: true, enableOfflineQueue: false })
  // Queues and workers report what concerns them.
  client.on('error', () => {})
  let connected: Redis | undefined
  /** Connects automatically, as do its copies: a worker that is opened while Redis is unavailable waits for it. */
  const forWorkers = () => {
    connected ??= new Redis(url, shared).on('error', () => {})
    return connected
  }
  return {
    client,
    openQueue: (name) => new Queue(name, { connection: client, prefix }),
    openWorker: (name, processor, options) =>
      new Worker(name, processor, { ...options, connection: forWorkers(), prefix }),
    async close() {
      client.disconnect()
      connected?.disconnect()
    },
  }
}
