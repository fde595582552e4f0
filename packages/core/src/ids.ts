import { textMatching } from './schemas/text-matching.js'

/** Source of new ids. */
export type IdSource = () => string

/** A new UUID v4. */
export function generateId(): string {
  // Node concatenates a UUID from twenty strings, which stay alive with it; trimming joins them.
  return crypto.randomUUID().trim()
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
