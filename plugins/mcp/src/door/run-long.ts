import type { MinionsAccess } from '@minions/core'
import { cancelOnAbort, withDeadline } from '@minions/core/coordination'
import type { JsonValue } from '@minions/core/json'
import { type Operation, type Progress, runOperation } from '@minions/core/operations'
import type { Caller, Runs } from '@minions/server/plugin'

/** An operation that may take long. */
export interface LongCall {
  readonly operation: Operation
  readonly input: unknown
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly onProgress: ((progress: Progress) => void) | undefined
  /** Milliseconds after which it becomes a run. */
  readonly wait: number
}

/** Runs an operation; if it takes longer, it becomes a run of the server, which outlives the request. */
export async function runLong(
  app: MinionsAccess,
  runs: Runs,
  { operation, input, caller, signal, onProgress, wait }: LongCall,
): Promise<{ readonly result: JsonValue } | { readonly run: string }> {
  const { by, tenant } = caller
  const run = runs.begin({ operation, by, tenant }, (context) =>
    runOperation(app, operation.name, input, { ...caller, ...context }),
  )
  if (onProgress) run.onProgress(onProgress)
  const cancel = () => run.cancel(signal.reason)
  return cancelOnAbort(signal, cancel, async () => {
    const outcome = await withDeadline<Awaited<typeof run.outcome> | undefined>(run.outcome, {
      timeout: wait,
      expired: () => undefined,
    })
    if (outcome === undefined) return { run: (await run.record()).id }
    if ('error' in outcome) throw outcome.error
    return { result: outcome.value }
  })
}
