import type { StorageTransaction } from './backend.js'
import { PassedOn } from './passed-on.js'

export class Revoked extends Error {
  constructor() {
    super('This run of the transaction was revoked; its work runs again.')
  }
}

/** A transaction that can be revoked while its work is still running. */
export class Revocable extends PassedOn {
  #inner: StorageTransaction | undefined

  constructor(inner: StorageTransaction) {
    super()
    this.#inner = inner
  }

  revoke(): void {
    this.#inner = undefined
  }

  protected async call<T>(make: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    if (!this.#inner) throw new Revoked()
    return make(this.#inner)
  }
}
