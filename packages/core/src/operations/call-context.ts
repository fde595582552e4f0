import type { CallSignal } from './call-signal.js'
import type { Grant } from './grant.js'
import type { OperationContext, Progress } from './operation.js'
import type { RunOperationOptions } from './run-operation.js'

/** The context of a call. A class, because V8 creates a new shape for every object with a getter. */
export class CallContext implements OperationContext {
  readonly by: string | undefined
  readonly tenant: string | undefined
  readonly grant: Grant
  readonly progress: (progress: Progress) => void
  readonly #signal: CallSignal

  constructor(options: RunOperationOptions, signal: CallSignal) {
    const { by, tenant, access, namespaces, confined, shared, onProgress } = options
    this.by = by
    this.tenant = tenant
    this.grant = { access, namespaces, confined, shared }
    this.progress = (progress) => onProgress?.(progress)
    this.#signal = signal
  }

  get signal(): AbortSignal {
    return this.#signal.value
  }
}
