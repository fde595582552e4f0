import type { Redis } from 'ioredis'
import { redisError } from '../errors.js'
import { translateError } from './translate-error.js'

const OLDEST = 7

/** Throws unless the server can hold messages: `REDIS_UNSUPPORTED`, `REDIS_EVICTS`. */
export async function checkServer(client: Redis, server: string): Promise<void> {
  const [about, memory] = await Promise.all([client.info('server'), client.info('memory')]).catch((error: unknown) => {
    throw translateError(error, server)
  })
  const version = fieldOf(about, 'redis_version') ?? ''
  if (!(Number.parseInt(version, 10) >= OLDEST)) {
    const text = `${server} is version ${version || 'unknown'}; Redis ${OLDEST} or later is needed.`
    throw redisError('REDIS_UNSUPPORTED', text, { details: { server, version } })
  }
  const policy = fieldOf(memory, 'maxmemory_policy') ?? 'noeviction'
  if (fieldOf(memory, 'maxmemory') === '0' || policy === 'noeviction') return
  const text = `${server} deletes keys when its memory is full (maxmemory-policy ${policy}), which would lose messages; set it to noeviction.`
  throw redisError('REDIS_EVICTS', text, { details: { server, policy } })
}

function fieldOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
}
