import { textMatching } from './schemas/text-matching.js'

/** Source of new ids. */
export type IdSource = () => string

/** Random bytes that no id has used yet, from `next` on: the platform takes a thousand for little more than sixteen. */
const random = new Uint8Array(4096)
let next = random.length

/** The codes of the hexadecimal digits of each byte. */
const HIGH = Uint8Array.from({ length: 256 }, (_, byte) => (byte >> 4).toString(16).charCodeAt(0))
const LOW = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 15).toString(16).charCodeAt(0))
const HYPHEN = '-'.charCodeAt(0)

/**
 * A new UUID v4. Each message and record needs one, and `crypto.randomUUID` takes several times as long: in Node, it
 * concatenates a UUID from twenty strings, which have to be joined as well, since they would stay alive with it.
 */
export function generateId(): string {
  if (next === random.length) {
    crypto.getRandomValues(random)
    next = 0
  }
  const at = next
  next += 16
  const version = ((random[at + 6] as number) & 0x0f) | 0x40
  const variant = ((random[at + 8] as number) & 0x3f) | 0x80
  const high = (index: number) => HIGH[random[at + index] as number] as number
  const low = (index: number) => LOW[random[at + index] as number] as number
  // biome-ignore format: one group of digits a line
  return String.fromCharCode(
    high(0), low(0), high(1), low(1), high(2), low(2), high(3), low(3), HYPHEN,
    high(4), low(4), high(5), low(5), HYPHEN,
    HIGH[version] as number, LOW[version] as number, high(7), low(7), HYPHEN,
    HIGH[variant] as number, LOW[variant] as number, high(9), low(9), HYPHEN,
    high(10), low(10), high(11), low(11), high(12), low(12), high(13), low(13), high(14), low(14), high(15), low(15),
  )
}

/** Format of external ids, apart from their length. */
export const ID_PATTERN = '^[A-Za-z0-9](?:\\.?[A-Za-z0-9_/:-])*\\.?$'
const MAX_LENGTH = 128

/** Describes the pattern and the length; follows the name of a value. */
export const ID_RULE = 'must be 1 to 128 letters, digits and . _ / : - beginning with a letter or digit, without ".."'

/** External ids: see `ID_RULE`. */
export const IdSchema = textMatching(ID_PATTERN, { maxLength: MAX_LENGTH })

export const idSchema = (description: string) => textMatching(ID_PATTERN, { maxLength: MAX_LENGTH, description })

const idPattern = new RegExp(ID_PATTERN)

/** True if a string may be used as an id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && idPattern.test(value)
}
