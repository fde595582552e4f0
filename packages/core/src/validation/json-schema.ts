/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Limits of a schema that a user supplies. */
export const MAX_SCHEMA_DEPTH = 32
export const MAX_SCHEMA_BYTES = 256 * 1024

/** Dialect of a schema. Without `$schema` it is draft 2020-12, with tuples also in the older form. */
export type Dialect = '2020-12' | 'draft-07'

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
])

/** The dialect named by `$schema`, or `undefined` for an unsupported one. */
export function namedDialect(uri: unknown): Dialect | undefined {
  return typeof uri === 'string' ? DIALECTS.get(uri.replace(/#$/, '')) : undefined
}
