import { sleep, systemTimers } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import type { BullmqSettings } from '../options.js'
import { BullmqEngine } from './bullmq-engine.js'
import type { Engine } from './engine.js'
import { postgresBackend, reachPostgres } from './postgres-backend.js'
import { isRefusal, queueFailure } from './queue-failure.js'
import { redisBackend } from './redis-backend.js'

/** Opens BullMQ on the server that the URL names. Throws `QUEUE_UNREACHABLE` or `QUEUE_REFUSED`. */
export async function openEngine(settings: BullmqSettings, logger: Logger): Promise<Engine> {
  const { url, prefix = 'minions', leaseMs = 5000, connectTimeoutMs = 10_000 } = settings
  if (url.startsWith('postgres')) {
    await reachPostgres(url, connectTimeoutMs).catch((error: unknown) => {
      throw queueFailure(error, url)
    })
    return new BullmqEngine(await postgresBackend(url, prefix), logger, leaseMs)
  }
  const backend = redisBackend(url, prefix)
  let lastError: unknown
  const stop = new AbortController()
  try {
    await new Promise<void>((resolve, reject) => {
      backend.client.once('ready', resolve)
      backend.client.on('error', (error: unknown) => {
        lastError = error
        if (isRefusal(error)) reject(error)
      })
      const late = () => reject(lastError ?? new Error(`no answer within ${connectTimeoutMs} ms`))
      sleep(connectTimeoutMs, systemTimers, stop.signal).then(late, () => {})
      backend.client.connect().catch(() => {})
    })
    return new BullmqEngine(backend, logger, leaseMs)
  } catch (error) {
    await backend.close()
    throw queueFailure(error, url)
  } finally {
    stop.abort(new Error('not needed any more'))
  }
}
