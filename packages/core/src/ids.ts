import { textMatching } from './schemas/text-matching.js'

/** Where new ids come from. */
export type IdSource = () => string

/** A new UUID v4. */
export function generateId(): string {
  return crypto.randomUUID()
}

/** What ids that come from outside look like, besides their length. */
export const ID_PATTERN = '^[A-Za-z0-9](?:\\.?[A-Za-z0-9_/:-])*\\.?$'
const MAX_LENGTH = 128

/** Ids that come from outside: 1 to 128 of `A-Z a-z 0-9 . _ / : -`, beginning with a letter or digit, no `..` anywhere. */
export const IdSchema = textMatching(ID_PATTERN, { maxLength: MAX_LENGTH })

const idPattern = new RegExp(ID_PATTERN)

/** Whether a text may be used as an id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && idPattern.test(value)
}
