import { getOrInsert } from '@minions/core/json'
import type { Caller } from '../caller.js'
import { serverError } from '../errors.js'
import { type ApiKeys, keyUse } from '../keys/api-keys.js'
import { grantOf } from '../keys/grant-of.js'
import type { ApiKey } from '../keys/key-record.js'
import { type RateLimiter, rateError } from './rate-limit.js'
import { isLoopback } from './same-host.js'
import type { SessionCaller } from './session.js'

/** The connection of a request. */
export interface Connection {
  /** Remote address. */
  readonly remoteAddress?: string | undefined
  /** True while the client is connected; assumed by default. */
  readonly isOpen?: (() => boolean) | undefined
  /** The headers of the request by their names in lower case, where the server has them at hand: asking it is faster. */
  readonly received?: object | undefined
}

export interface AuthenticateOptions {
  readonly keys: ApiKeys
  /** Callers on this machine need no key. */
  readonly withoutKey: boolean
  readonly session: SessionCaller | undefined
  readonly requests: RateLimiter | undefined
  readonly failures: RateLimiter | undefined
}

/** Determines the caller of a request. Throws `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED`. */
export type Authenticate = (request: Request, connection: Connection) => Promise<Caller>

/** Headers that a proxy adds: a request with one may come from anywhere, whatever its connection says. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

const LOCAL: Caller = { by: 'local' }

export function authenticator({ keys, withoutKey, session, requests, failures }: AuthenticateOptions): Authenticate {
  const callers = new WeakMap<ApiKey, Caller>()
  const callerOf = (key: ApiKey) => getOrInsert(callers, key, () => holderOf(key))
  return async ({ headers }, connection) => {
    const tenant = headers.get('minions-tenant') ?? undefined
    const authorization = headers.get('authorization')
    if (
      authorization === null &&
      withoutKey &&
      isLoopback(connection.remoteAddress) &&
      !FORWARDED.some((name) => headers.has(name))
    ) {
      return within(LOCAL, tenant)
    }
    const text = authorization === null ? undefined : keyIn(authorization)
    const holder = text === undefined ? undefined : session?.(text)
    if (holder) return within(holder, tenant)
    const found = text === undefined ? undefined : keyUse.find(keys, text)
    const key = found instanceof Promise ? await found : found
    try {
      // Nothing is awaited without need: it would cost every request a turn of the queue of promises.
      if (!key) await failures?.consume(connection.remoteAddress ?? 'unknown')
      else if (requests) await requests.consume(key.id)
    } catch (rejected) {
      throw rateError(rejected)
    }
    if (!key) throw unauthenticated(authorization !== null)
    keyUse.note(keys, key)
    if (key.tenant !== undefined && tenant !== undefined && tenant !== key.tenant) {
      throw serverError('FORBIDDEN', 'The key belongs to a tenant other than the one in the header Minions-Tenant.')
    }
    return key.tenant === undefined ? within(callerOf(key), tenant) : callerOf(key)
  }
}

function holderOf(key: ApiKey): Caller {
  return { by: key.owner, key: key.id, expiresAt: key.expiresAt, tenant: key.tenant, ...grantOf(key) }
}

function within(caller: Caller, tenant: string | undefined): Caller {
  return tenant === undefined ? caller : { ...caller, tenant }
}

/** The key in a header: `Bearer <key>`, or as the password of `Basic`, for protocols that support nothing else. */
function keyIn(authorization: string): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(authorization)
  if (bearer) return bearer[1]
  const basic = /^basic +(\S+)$/i.exec(authorization)?.[1]
  if (basic === undefined) return undefined
  const credentials = Buffer.from(basic, 'base64').toString('latin1')
  return credentials.slice(credentials.indexOf(':') + 1)
}

function unauthenticated(wasGiven: boolean): Error {
  return serverError(
    'UNAUTHENTICATED',
    wasGiven
      ? 'The key is not valid: unknown, expired or revoked. Create a new one with minions keys create.'
      : 'The request has no key; send one as `Authorization: Bearer <key>`. Create one with minions keys create.',
  )
}
