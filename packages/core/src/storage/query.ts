import type { JsonScalar } from '../json/json-value.js'
import type { Direction } from './backend.js'

/** Comparisons of one value; all of them must hold. */
export interface Comparison {
  readonly eq?: JsonScalar
  readonly ne?: JsonScalar
  readonly in?: readonly JsonScalar[]
  readonly gt?: Exclude<JsonScalar, null>
  readonly gte?: Exclude<JsonScalar, null>
  readonly lt?: Exclude<JsonScalar, null>
  readonly lte?: Exclude<JsonScalar, null>
  /** True: null or missing; false: anything else. */
  readonly isNull?: boolean
  /** The value is an array with this element. */
  readonly contains?: JsonScalar
}

/**
 * A condition on records: paths with a value (short for `eq`) or a comparison, all of which must hold, and the groups
 * `and`, `or` and `not`. A property whose name is `and` is written `\and`.
 */
export interface Where {
  readonly and?: readonly Where[]
  readonly or?: readonly Where[]
  readonly not?: Where
  readonly [path: string]: JsonScalar | Comparison | Where | readonly Where[] | undefined
}

export interface OrderBy {
  readonly field: string
  /** Defaults to `asc`. */
  readonly direction?: Direction
}

/** A query of a collection. */
export interface CollectionQuery {
  readonly where?: Where
  /** Default: creation time, if the collection declares it, then the key. */
  readonly orderBy?: readonly OrderBy[]
  /** Words that must all occur, as prefixes of words. */
  readonly text?: string
  /** Page size, at most 100,000. Default: 100. */
  readonly limit?: number
  /** `nextCursor` of the previous page. */
  readonly cursor?: string
}

/** Some records, and the cursor of the next page. */
export interface Page<T> {
  readonly items: T[]
  readonly nextCursor: string | undefined
}
