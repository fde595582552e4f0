import { coreError, quote } from '@minions/core'
import { promptsError } from '../errors.js'

export interface RunOptions {
  /** How many run at the same time; 4 unless given. */
  readonly concurrency?: number
  /** Cancels what has not ended. */
  readonly signal?: AbortSignal
}

/**
 * Runs work on items, some at a time, and resolves to the answers in the order of the items. After the first failure, or
 * when the signal is aborted, nothing more is begun and the signal that work gets is aborted.
 */
export async function runBounded<Item, Answer>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<Answer>,
  { concurrency = 4, signal }: RunOptions,
): Promise<Answer[]> {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw coreError('VALIDATION_FAILED', `concurrency is a whole number from 1, not ${quote(concurrency)}.`)
  }
  const answers: Answer[] = []
  const stop = new AbortController()
  const queue = items.entries()
  const worker = async () => {
    // Workers share the iterator, so that each item is taken once.
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
  // What a signal throws that is none is told by what reads it next.
  cancelled.catch(() => undefined)
  try {
    const workers = signal?.aborted ? [] : Array.from({ length: Math.min(concurrency, items.length) }, worker)
    await Promise.race([cancelled, Promise.all(workers)])
    return answers
  } finally {
    stop.abort()
  }
}
