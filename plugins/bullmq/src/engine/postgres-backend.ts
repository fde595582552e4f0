import { createPostgresBackend, withBackend } from 'bullmq'
import pg from 'pg'
import type { Backend } from './bullmq-engine.js'

/** BullMQ on PostgreSQL, in its own schema, which is created and migrated on first use. */
export function postgresBackend(url: string, schema: string): Backend {
  const { Queue, Worker } = withBackend(createPostgresBackend)
  const connection = { connectionString: url, schema, migrate: true }
  return {
    openQueue: (name) => new Queue(name, { connection }),
    openWorker: (name, processor, options) => new Worker(name, processor, { ...options, connection }),
    async close() {},
  }
}

/** Throws what the driver throws unless the server answers. */
export async function reachPostgres(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
  client.on('error', () => {})
  await client.connect()
  await client.end()
}
