import type { MinionsError } from '@minions/core'

/** Thrown through an execution that must end without an outcome of its own; whatever stopped it updates the records. */
export class Stopped {
  readonly error: MinionsError

  constructor(error: MinionsError) {
    this.error = error
  }
}
