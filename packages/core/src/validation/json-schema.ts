/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Limits of a schema that a user supplies. */
export const MAX_SCHEMA_DEPTH = 32
export const MAX_SCHEMA_BYTES = 256 * 1024

/** How a schema is read. Without `$schema` it is draft 2020-12, in which tuples may be written the older way. */
export type Dialect = '2020-12' | 'draft-07'

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
])

/** The dialect that `$schema` names, or `undefined` for one that we do not read. */
export function namedDialect(uri: unknown): Dialect | undefined {
  return typeof uri === 'string' ? DIALECTS.get(uri.replace(/#$/, '')) : undefined
}
