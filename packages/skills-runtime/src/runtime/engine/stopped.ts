import type { MinionsError } from '@minions/core'

/** Thrown through an execution that has to end without an outcome of its own; what stopped it keeps the records. */
export class Stopped {
  readonly error: MinionsError

  constructor(error: MinionsError) {
    this.error = error
  }
}
