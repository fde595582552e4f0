import { messageOf } from '@minions/core'
import { withDeadline } from '@minions/core/coordination'
import { Redis } from 'ioredis'
import { redisError } from '../errors.js'
import type { ResolvedOptions } from '../options.js'
import { serverName } from './server-name.js'
import { isRefusal, translateError } from './translate-error.js'

/** Milliseconds of silence after which a connection counts as broken; heartbeats are much more frequent. */
const SILENCE = 15_000

/**
 * Opens a connection. Once open it reconnects forever; until then it gives up at the timeout, or at once if Redis
 * refuses the credentials. While Redis is unavailable commands fail: the driver would resend them in another order.
 * Throws `REDIS_UNREACHABLE` or `REDIS_REFUSED`.
 */
export async function openClient(options: ResolvedOptions): Promise<Redis> {
  const { url, connection, timers, connectTimeoutMs, logger } = options
  const server = serverName(url)
  const client = new Redis(url, {
    ...connection,
    lazyConnect: true,
    protocol: 2,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    connectTimeout: connectTimeoutMs,
    socketTimeout: SILENCE,
    retryStrategy: (attempt) => Math.min(attempt * 20, 500),
    // A replica that was the primary before a fail-over: find the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  let isOpen = false
  let lastError: unknown
  const ready = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve)
    client.on('error', (error: unknown) => {
      lastError = error
      const translated = translateError(error, server)
      if (isOpen) logger.warn('Redis is unavailable', { server, error: messageOf(translated) })
      else if (isRefusal(translated)) reject(translated)
    })
  })
  const expired = () => {
    const why = lastError === undefined ? 'it did not answer' : messageOf(lastError)
    const text = `${server} could not be reached within ${connectTimeoutMs} ms: ${why}. Start it or correct "url".`
    throw redisError('REDIS_UNREACHABLE', text, { cause: lastError, details: { server } })
  }
  client.connect().catch(() => {})
  try {
    await withDeadline(ready, { timeout: connectTimeoutMs, timers, expired })
    isOpen = true
    return client
  } catch (error) {
    client.disconnect()
    throw error
  }
}
