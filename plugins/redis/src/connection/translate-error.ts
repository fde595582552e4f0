import { isMinionsError, messageOf } from '@minions/core'
import { redisError } from '../errors.js'

/** Converts an error of the driver or the server. `server` is shown; it must not contain a password. */
export function translateError(error: unknown, server: string): Error {
  if (isMinionsError(error)) return error
  const text = messageOf(error)
  const options = { cause: error, details: { server } }
  if (/^(WRONGPASS|NOAUTH)|invalid password|without any password configured|username-password/i.test(text)) {
    return redisError('REDIS_REFUSED', `${server} refused the credentials; check user and password in "url".`, options)
  }
  if (/^NOPERM/.test(text)) {
    return redisError('REDIS_REFUSED', `The user of ${server} may not run a command that is needed: ${text}`, options)
  }
  if (/^OOM|OOM command not allowed/.test(text)) {
    const message = `The memory of ${server} is used up, so nothing was delivered; raise "maxmemory" or delete keys, and try again.`
    return redisError('REDIS_FULL', message, options)
  }
  if (
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|Connection is closed|timed? ?out|max retries|isn't writeable|^READONLY/i.test(
      text,
    )
  ) {
    return redisError('REDIS_UNREACHABLE', `${server} cannot be reached: ${text}. Start it or correct "url".`, options)
  }
  return redisError('REDIS_FAILED', `${server} answered with an error: ${text}`, options)
}

/** True if waiting does not help, so that a connection is not retried at start. */
export function isRefusal(error: unknown): boolean {
  return redisError.is(error, 'REDIS_REFUSED')
}
