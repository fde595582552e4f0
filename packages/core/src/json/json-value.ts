/** Any value JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object, as every stored record is one. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** The values a query compares and an index holds. */
export type JsonScalar = null | boolean | number | string
