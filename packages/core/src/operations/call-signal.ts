import { coreError } from '../errors/codes.js'

/** The signal of one call, created when it is first read: most operations never read it. */
export class CallSignal {
  readonly #create: () => AbortSignal
  #signal: AbortSignal | undefined

  constructor(given: AbortSignal | (() => AbortSignal) | undefined) {
    if (typeof given === 'object') this.#signal = given
    this.#create = typeof given === 'function' ? given : neverAborted
  }

  get value(): AbortSignal {
    this.#signal ??= this.#create()
    return this.#signal
  }

  /** True if the call was cancelled and the operation can know about it. */
  get isAborted(): boolean {
    try {
      return this.#signal?.aborted ?? false
    } catch (cause) {
      throw coreError('VALIDATION_FAILED', '`signal` of runOperation cannot be read.', { cause })
    }
  }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}
