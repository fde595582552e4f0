import type { JsonObject } from '@minions/core/json'
import type { Assertions } from '../scoring/assertions.js'

/** A new test case. */
export interface TestInput {
  /** An id assigned elsewhere. Default: a new one. */
  readonly id?: string | undefined
  /** Default: `Test of <prompt>`. */
  readonly title?: string | undefined
  /** Values by variable name. */
  readonly inputVariables: JsonObject
  /** What a good answer does, for people to read. */
  readonly expectedCriteria?: string | undefined
  /** The scored dimensions; each run must score all of them. */
  readonly scoringDimensions?: readonly string[] | undefined
  /** Assertions on the answer or, without one, on the rendered prompt. */
  readonly assertions?: Assertions | undefined
  /** A gate fails as soon as this test fails. */
  readonly golden?: boolean | undefined
}
