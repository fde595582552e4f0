import { coreError, quote } from '@minions/core'
import { abortable, Semaphore } from '@minions/core/coordination'
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
  const stop = new AbortController()
  const slots = new Semaphore(concurrency)
  const fail = (error: unknown): never => {
    stop.abort(error)
    throw error
  }
  const run = (item: Item) => slots.run(() => work(item, stop.signal).catch(fail), stop.signal)
  try {
    signal?.throwIfAborted()
    return await abortable(Promise.all(items.map(run)), signal)
  } catch (error) {
    if (!signal?.aborted) throw error
    throw promptsError('RUN_CANCELLED', 'The run was cancelled; nothing was written.', { cause: signal.reason })
  } finally {
    stop.abort()
  }
}
