import { pointerTo } from '@minions/core'

/** One reason why a schema cannot be used, and where in it. */
export interface SchemaProblem {
  readonly code: string
  readonly message: string
  /** JSON Pointer into the schema. */
  readonly pointer: string
}

/** A problem of one keyword; the message begins with its location. */
export function keywordProblem(parent: string, keyword: string, code: string, message: string): SchemaProblem {
  const pointer = pointerTo(parent, keyword)
  return { code, message: `${pointer} ${message}`, pointer }
}
