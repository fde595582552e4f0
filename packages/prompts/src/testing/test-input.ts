import type { JsonObject } from '@minions/core/json'
import type { Assertions } from '../scoring/assertions.js'

/** A new test case. */
export interface TestInput {
  /** An id that was assigned elsewhere; a new one unless given. */
  readonly id?: string | undefined
  /** `Test of <prompt>` unless given. */
  readonly title?: string | undefined
  /** Values by variable name. */
  readonly inputVariables: JsonObject
  /** What a good answer does, for people to read. */
  readonly expectedCriteria?: string | undefined
  /** What is to be scored; each run must score all of these. */
  readonly scoringDimensions?: readonly string[] | undefined
  /** What the answer, or the rendered prompt where there is none, must be like. */
  readonly assertions?: Assertions | undefined
  /** A gate fails as soon as this test does. */
  readonly golden?: boolean | undefined
}
