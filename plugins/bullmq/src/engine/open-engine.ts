import { messageOf } from '@minions/core'
import { sleep, systemTimers } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import { bullmqError } from '../errors.js'
import type { BullmqSettings } from '../options.js'
import { BullmqEngine } from './bullmq-engine.js'
import type { Engine } from './engine.js'
import { postgresBackend, reachPostgres } from './postgres-backend.js'
import { redisBackend } from './redis-backend.js'

/** Opens BullMQ on the server that the URL names. Throws `QUEUE_UNREACHABLE` or `QUEUE_REFUSED`. */
export async function openEngine(settings: BullmqSettings, logger: Logger): Promise<Engine> {
  const { url, prefix = 'minions', leaseMs = 5000, connectTimeoutMs = 10_000 } = settings
  const { protocol, host, pathname } = new URL(url)
  const server = `${protocol}//${host}${pathname === '/' ? '' : pathname}`
  if (protocol.startsWith('postgres')) {
    await reachPostgres(url, connectTimeoutMs).catch((error: unknown) => {
      throw failure(error, server)
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
    throw failure(error, server)
  } finally {
    stop.abort(new Error('not needed any more'))
  }
}

function isRefusal(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code
  // Of PostgreSQL: invalid_authorization_specification and invalid_password.
  return code === '28000' || code === '28P01' || /^(WRONGPASS|NOAUTH|NOPERM)|invalid password/.test(messageOf(error))
}

function failure(error: unknown, server: string): Error {
  const options = { cause: error, details: { server } }
  if (isRefusal(error)) {
    return bullmqError('QUEUE_REFUSED', `${server} refused the credentials; check user and password in "url".`, options)
  }
  const text = `${server} could not be reached: ${messageOf(error)}. Start it or correct "url".`
  return bullmqError('QUEUE_UNREACHABLE', text, options)
}
