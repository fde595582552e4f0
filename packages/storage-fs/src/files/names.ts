import { hash } from 'node:crypto'

/** Maximum length of a name, without its extension, that every file system accepts together with our additions. */
const MAX_NAME = 180
const KEPT_OF_LONG_NAME = 100

/** Names that Windows reserves for devices, whatever follows the first dot. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/

/** Keys that are valid names, as most ids are. */
const PLAIN = /^[a-z0-9_-][a-z0-9_.-]{0,179}$/

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The name of a key's file, without extension. Different keys get names that differ by more than case: lower-case
 * letters, digits and `-_.` are literal, the separator of a composite key is `+`, all other bytes are `%xx`. A name
 * that would be too long ends in `~` and the hash of the key.
 */
export function encodeName(key: string): string {
  if (PLAIN.test(key) && !RESERVED.test(key)) return key
  if (key === '') return '~'
  const name = key
    .split('\x01\x01')
    .map((part) => part.replaceAll(/[^a-z0-9_.-]/gu, escapeBytes))
    .join('+')
    .replace(/^\./, '%2e')
    .replace(RESERVED, (device) => escapeBytes(device.charAt(0)) + device.slice(1))
  if (name.length <= MAX_NAME) return name
  return `${name.slice(0, KEPT_OF_LONG_NAME).replace(/%.?$/, '')}~${hash('sha256', key)}`
}

/** The key for a file name; undefined if it is not one that we would use. */
export function decodeName(name: string): string | undefined {
  try {
    const key = name
      .split('+')
      .map((part) => decoder.decode(bytesOf(part)))
      .join('\x01\x01')
    return encodeName(key) === name ? key : undefined
  } catch {
    return undefined
  }
}

export function collectionFolder(collection: string): string {
  return encodeName(collection)
}

/** The path of a record in the root: spread over 256 folders, since huge folders are slow and unpleasant. */
export function recordPath(collection: string, key: string, extension: string): string {
  const shard = hash('sha256', key).slice(0, 2)
  return `${collectionFolder(collection)}/${shard}/${encodeName(key)}${extension}`
}

function escapeBytes(character: string): string {
  return Array.from(encoder.encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function bytesOf(text: string): Uint8Array {
  const bytes: number[] = []
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== '%') bytes.push(text.charCodeAt(index))
    else {
      bytes.push(Number.parseInt(text.slice(index + 1, index + 3), 16))
      index += 2
    }
  }
  return Uint8Array.from(bytes)
}
