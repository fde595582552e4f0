import { withDeadline } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import type { BullmqSettings } from '../options.js'
import { BullmqEngine } from './bullmq-engine.js'
import { postgresBackend, reachPostgres } from './postgres-backend.js'
import { isRefusal, queueFailure } from './queue-failure.js'
import { redisBackend } from './redis-backend.js'

/** Opens BullMQ on the server that the URL names. Throws `QUEUE_UNREACHABLE` or `QUEUE_REFUSED`. */
export async function openEngine(settings: BullmqSettings, logger: Logger): Promise<BullmqEngine> {
  const { url, prefix = 'minions', leaseMs = 5000, connectTimeoutMs = 10_000 } = settings
  if (url.startsWith('postgres')) {
    await reachPostgres(url, connectTimeoutMs).catch((error: unknown) => {
      throw queueFailure(error, url)
    })
    return new BullmqEngine(postgresBackend(url, prefix), logger, leaseMs)
  }
  const backend = redisBackend(url, prefix)
  let lastError: unknown
  const ready = new Promise<void>((resolve, reject) => {
    backend.client.once('ready', resolve)
    backend.client.on('error', (error: unknown) => {
      lastError = error
      if (isRefusal(error)) reject(error)
    })
    backend.client.connect().catch(() => {})
  })
  const expired = () => {
    throw lastError ?? new Error(`no answer within ${connectTimeoutMs} ms`)
  }
  try {
    await withDeadline(ready, { timeout: connectTimeoutMs, expired })
    return new BullmqEngine(backend, logger, leaseMs)
  } catch (error) {
    await backend.close()
    throw queueFailure(error, url)
  }
}
