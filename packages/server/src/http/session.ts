import type { Caller } from '../caller.js'
import { serverError } from '../errors.js'
import { bytesOf, hashOf, matchesHash } from '../keys/key-text.js'
import type { SessionKey } from './options.js'

/** Finds the caller of a session key; undefined for any other string. */
export type SessionCaller = (text: string) => Caller | undefined

/** Minimum length of a session key: 24 random bytes in base64. */
const SHORTEST = 32

/** Prepares a session key for comparison. Throws `VALIDATION_FAILED` for one that is too short. */
export function sessionCaller({ key, by = 'local', access }: SessionKey): SessionCaller {
  if (typeof key !== 'string' || key.length < SHORTEST) {
    throw serverError('VALIDATION_FAILED', `\`session.key\` must have at least ${SHORTEST} random characters.`)
  }
  const hash = bytesOf(hashOf(key))
  const caller: Caller = { by, ...(access && { access }) }
  return (text) => (matchesHash(text, hash) ? caller : undefined)
}
