import type { Caller } from '../caller.js'
import { serverError } from '../errors.js'
import type { ApiKeys } from '../keys/api-keys.js'
import { grantOf } from '../keys/grant-of.js'
import type { ApiKey } from '../keys/key-record.js'
import { countRequest, type RateLimiter } from './rate-limit.js'
import { isLoopback } from './same-host.js'
import type { SessionCaller } from './session.js'

/** The connection of a request. */
export interface Connection {
  /** Remote address. */
  readonly remoteAddress?: string | undefined
  /** True while the client is connected; assumed by default. */
  readonly isOpen?: (() => boolean) | undefined
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
  const callerOf = (key: ApiKey) => {
    const caller = callers.get(key) ?? holderOf(key)
    callers.set(key, caller)
    return caller
  }
  return async ({ headers }, { remoteAddress }) => {
    const tenant = headers.get('minions-tenant') ?? undefined
    const authorization = headers.get('authorization')
    if (
      authorization === null &&
      withoutKey &&
      isLoopback(remoteAddress) &&
      !FORWARDED.some((name) => headers.has(name))
    ) {
      return within(LOCAL, tenant)
    }
    const text = authorization === null ? undefined : keyIn(authorization)
    const holder = text === undefined ? undefined : session?.(text)
    if (holder) return within(holder, tenant)
    const key = text === undefined ? undefined : await keys.verify(text)
    if (!key) {
      await countRequest(failures, remoteAddress ?? 'unknown')
      throw unauthenticated(authorization !== null)
    }
    await countRequest(requests, key.id)
    keys.noteUse(key)
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
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return undefined
  const credentials = Buffer.from(value, 'base64').toString('latin1')
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
