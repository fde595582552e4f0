import type { MinionsAccess } from '../client/minions-access.js'
import type { JsonValue } from '../json/json-value.js'
import type { OperationRef } from './operation-ref.js'
import { type RunOperationOptions, runOperation } from './run-operation.js'

/** Options of one call; the caller and its permissions are already fixed. */
export interface RunConditions extends Pick<RunOperationOptions, 'onProgress'> {
  /** Cancels the call: it is not started, or asked to stop. */
  readonly signal?: AbortSignal | undefined
}

/** Runs operations of one app for one caller: by name, or by a reference that types the result. */
export interface OperationRunner {
  <Output>(operation: OperationRef<Output>, input: unknown, options?: RunConditions): Promise<Output>
  (operation: string, input: unknown, options?: RunConditions): Promise<JsonValue>
}

/** Creates the runner that a door uses for a caller. */
export function operationRunner(app: MinionsAccess, caller: RunOperationOptions): OperationRunner {
  const run = (operation: string, input: unknown, options?: RunConditions) =>
    runOperation(app, operation, input, { ...caller, ...options })
  // It takes references too, as `runOperation` does.
  return run as OperationRunner
}
