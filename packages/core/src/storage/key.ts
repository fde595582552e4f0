import { coreError } from '../errors/codes.js'
import { isStorable } from '../json/storable.js'

/** Maximum length of a key in UTF-8 bytes: databases limit the size of index entries. */
export const MAX_KEY_BYTES = 1024

/** One property of a key: a non-empty string or, in a compound key, a non-negative integer. */
export type KeyPart = string | number

const encoder = new TextEncoder()

/** True if a string takes more than a number of UTF-8 bytes; encodes only where its length does not settle it. */
export function longerThan(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && (text.length > bytes || encoder.encode(text).length > bytes)
}

/**
 * Encodes a key as one string that sorts by code point as its parts do. A key of one string is that string; several
 * parts are joined by U+0001 U+0001, with U+0001 inside a part written U+0001 U+0002, and numbers begin with U+0001
 * U+0003.
 */
export function encodeKey(parts: readonly KeyPart[], collection: string): string {
  if (parts.length === 1) return encodeSingleKey(parts[0] as KeyPart, collection)
  if (parts.length === 0 || parts.includes('')) throw badKey(collection, 'is empty')
  return storable(parts.map(encodePart).join('\x01\x01'), collection)
}

/** A key of one property. Queries compare it with the property itself, so both must be the same string. */
export function encodeSingleKey(part: KeyPart, collection: string): string {
  if (typeof part !== 'string') throw badKey(collection, 'of one property must be a string')
  if (part === '') throw badKey(collection, 'is empty')
  return storable(part, collection)
}

function storable(key: string, collection: string): string {
  if (longerThan(key, MAX_KEY_BYTES)) throw badKey(collection, `is longer than ${MAX_KEY_BYTES} bytes`)
  if (!isStorable(key)) throw badKey(collection, 'contains a character that cannot be stored')
  return key
}

function encodePart(part: KeyPart): string {
  return typeof part === 'number' ? `\x01\x03${String(part).padStart(16, '0')}` : part.replaceAll('\x01', '\x01\x02')
}

/** The parts of a compound key, as passed to `encodeKey`. */
export function decodeKey(key: string): KeyPart[] {
  return splitKey(key).map((part) =>
    part.startsWith('\x01\x03') ? Number(part.slice(2)) : part.replaceAll('\x01\x02', '\x01'),
  )
}

/** U+0001 always begins a pair, so that one at the end of a part is not taken for half of a separator. */
function splitKey(key: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = key.indexOf('\x01'); at >= 0; at = key.indexOf('\x01', at + 2)) {
    if (key[at + 1] !== '\x01') continue
    parts.push(key.slice(start, at))
    start = at + 2
  }
  return [...parts, key.slice(start)]
}

function badKey(collection: string, message: string): Error {
  return coreError('VALIDATION_FAILED', `A key of the collection "${collection}" ${message}.`, {
    details: { collection, errors: [{ pointer: '', code: 'key', message }] },
  })
}

export function isKeyPart(value: unknown): value is KeyPart {
  return typeof value === 'string' || (Number.isSafeInteger(value) && (value as number) >= 0)
}
