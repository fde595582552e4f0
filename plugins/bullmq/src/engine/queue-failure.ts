import { messageOf } from '@minions/core'
import { bullmqError } from '../errors.js'

export function isRefusal(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code
  // Of PostgreSQL: invalid_authorization_specification and invalid_password.
  return code === '28000' || code === '28P01' || /^(WRONGPASS|NOAUTH|NOPERM)|invalid password/.test(messageOf(error))
}

/** The error for callers of what a server answered, or did not answer. It names the server without its password. */
export function queueFailure(error: unknown, url: string): Error {
  const { protocol, host, pathname } = new URL(url)
  const server = `${protocol}//${host}${pathname === '/' ? '' : pathname}`
  const options = { cause: error, details: { server } }
  if (isRefusal(error)) {
    return bullmqError('QUEUE_REFUSED', `${server} refused the credentials; check user and password in "url".`, options)
  }
  if (messageOf(error).startsWith('OOM ')) {
    return bullmqError('QUEUE_SERVER_FULL', `${server} is out of memory; raise its "maxmemory" or free some.`, options)
  }
  const text = `${server} could not be reached: ${messageOf(error)}. Start it or correct "url".`
  return bullmqError('QUEUE_UNREACHABLE', text, options)
}
