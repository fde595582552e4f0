import { textMatching } from './schemas/text-matching.js'

/** Source of new ids. */
export type IdSource = () => string

/** A new UUID v4. */
export function generateId(): string {
  return crypto.randomUUID()
}

/** Format of external ids, apart from their length. */
export const ID_PATTERN = '^[A-Za-z0-9](?:\\.?[A-Za-z0-9_/:-])*\\.?$'
const MAX_LENGTH = 128

/** External ids: 1 to 128 of `A-Z a-z 0-9 . _ / : -`, beginning with a letter or digit, no `..` anywhere. */
export const IdSchema = textMatching(ID_PATTERN, { maxLength: MAX_LENGTH })

const idPattern = new RegExp(ID_PATTERN)

/** True if a string may be used as an id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && idPattern.test(value)
}
