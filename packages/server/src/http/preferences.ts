import { serverError } from '../errors.js'

/** Longest wait that a caller may ask for, in milliseconds. */
const LONGEST_WAIT = 60_000

/**
 * Milliseconds that a caller wants to wait for a result: none with `Prefer: respond-async`, that many seconds with
 * `Prefer: wait=5` (RFC 7240); undefined without either.
 */
export function preferredWait({ headers }: Request): number | undefined {
  const preferences = (headers.get('prefer') ?? '').split(',').map((one) => one.trim().toLowerCase())
  const wait = preferences.map((one) => /^wait="?(\d{1,6})"?$/.exec(one)?.[1]).find((seconds) => seconds !== undefined)
  if (wait !== undefined) return Math.min(Number(wait) * 1000, LONGEST_WAIT)
  return preferences.includes('respond-async') ? 0 : undefined
}

/** The idempotency key of a request, if it has one. Throws `BAD_REQUEST` for an invalid one. */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers.get('idempotency-key')
  if (key === null) return undefined
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw serverError('BAD_REQUEST', 'An `Idempotency-Key` has 1 to 255 visible ASCII characters, such as a UUID.')
}
