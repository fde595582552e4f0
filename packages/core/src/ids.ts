/** Where new ids come from. */
export type IdSource = () => string

/** A new UUID v4. */
export function generateId(): string {
  return crypto.randomUUID()
}

/** Ids that come from outside: 1 to 128 of `A-Z a-z 0-9 . _ / : -`, beginning with a letter or digit, no `..` anywhere. */
export const ID_PATTERN = '^[A-Za-z0-9](?:[A-Za-z0-9_/:-]|\\.(?!\\.)){0,127}$'

const idPattern = new RegExp(ID_PATTERN)

/** Whether a text may be used as an id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value)
}
