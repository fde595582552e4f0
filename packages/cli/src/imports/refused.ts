import type { ForeignProblem } from './foreign-content.js'

/** Records of another program that cannot be taken; nothing was. */
export class Refused extends Error {
  readonly problems: readonly ForeignProblem[]

  constructor(problems: readonly ForeignProblem[]) {
    super(`${problems.length} records cannot be imported`)
    this.problems = problems
  }
}
