import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A key as its holder has it: `mk_<id>_<secret>`. The id is not secret; the secret has 256 random bits. */
export interface KeyText {
  readonly id: string
  readonly secret: string
}

const PATTERN = /^mk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

/** Compared in place of a missing key, so that both cases take equally long. */
const NO_HASH = bytesOf(hashOf(''))

export function newKeyText(): KeyText {
  return { id: randomBytes(8).toString('hex'), secret: randomBytes(32).toString('base64url') }
}

export function formatKey({ id, secret }: KeyText): string {
  return `mk_${id}_${secret}`
}

/** The parts of a key; undefined for a string that is not one. */
export function parseKey(text: string): KeyText | undefined {
  const [, id, secret] = PATTERN.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/**
 * The stored hash of a secret. One round is enough: slow hashes protect guessable secrets, and no one guesses 256
 * random bits.
 */
export function hashOf(secret: string): string {
  return hash('sha256', secret)
}

/** The characters of a stored hash as bytes, which can be compared in constant time. */
export function bytesOf(stored: string): Uint8Array {
  return Buffer.from(stored, 'latin1')
}

/** Compares a secret with a stored hash in constant time; without a hash it takes as long and is false. */
export function matchesHash(secret: string, stored: Uint8Array | undefined): boolean {
  compared.write(hashOf(secret), 'latin1')
  return timingSafeEqual(compared, stored ?? NO_HASH) && stored !== undefined
}

/** Every request compares a hash, so its bytes are written here; nothing waits between writing and comparing. */
const compared = Buffer.alloc(NO_HASH.length)
