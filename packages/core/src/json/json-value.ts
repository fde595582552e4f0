/** Any value JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object; every stored record is one. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** Values that queries compare and indexes hold. */
export type JsonScalar = null | boolean | number | string
