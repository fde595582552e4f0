import { coreError, quote } from '@minions/core'
import { promptsError } from '../errors.js'

export interface RunOptions {
  /** Concurrency. Default: 4. */
  readonly concurrency?: number
  /** Cancels unfinished work. */
  readonly signal?: AbortSignal
}

/**
 * Runs work on items, several at a time, and resolves to the results in the order of the items. After the first
 * failure, or when the signal is aborted, no more work is started and the signal passed to it is aborted.
 */
export async function runBounded<Item, Answer>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Answer>,
  { concurrency = 4, signal }: RunOptions,
): Promise<Answer[]> {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw coreError('VALIDATION_FAILED', `concurrency must be a positive integer, not ${quote(concurrency)}.`)
  }
  const answers: Answer[] = []
  const stop = new AbortController()
  const queue = items.entries()
  const worker = async () => {
    // Workers share the iterator, so that each item is processed once.
    for (const [index, item] of queue) {
      if (stop.signal.aborted) return
      answers[index] = await work(item, stop.signal)
    }
  }
  const cancelled = new Promise<never>((_, reject) => {
    const cancel = () =>
      reject(promptsError('RUN_CANCELLED', 'The run was cancelled; nothing was written.', { cause: signal?.reason }))
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true, signal: stop.signal })
  })
  // An invalid signal is reported by its next reader.
  cancelled.catch(() => undefined)
  try {
    const workers = signal?.aborted ? [] : Array.from({ length: Math.min(concurrency, items.length) }, worker)
    await Promise.race([cancelled, Promise.all(workers)])
    return answers
  } finally {
    stop.abort()
  }
}
