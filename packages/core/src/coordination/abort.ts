import { guarded } from '../errors/guard.js'
import { getOrInsert } from '../json/get-or-insert.js'
import { withDeadline } from './deadline.js'
import { checkWaiting, systemTimers } from './timers.js'

/** Settles as `work` does, or rejects with the reason of the signal; then `abandon` is called and the work goes on. */
export const abortable = guarded('abortable', abortableUnchecked, { callsBack: 'hooks' })

function abortableUnchecked<T>(work: Promise<T>, signal: AbortSignal | undefined, abandon?: () => void): Promise<T> {
  const expired = () => {
    throw new Error('There is no timeout.')
  }
  return withDeadline(work, { signal, abandon, expired })
}

/** What to call when a signal is aborted. One listener serves all: adding one costs more than many a piece of work. */
const cancels = new WeakMap<AbortSignal, Set<() => unknown>>()

/** Runs work, and calls `cancel` if the signal is aborted before the work has ended. */
export const cancelOnAbort = guarded('cancelOnAbort', cancelOnAbortUnchecked, { callsBack: true })

async function cancelOnAbortUnchecked<T>(
  signal: AbortSignal | undefined,
  cancel: () => unknown,
  work: () => Promise<T>,
): Promise<T> {
  checkWaiting(systemTimers, signal)
  if (signal === undefined) return work()
  const waiting = getOrInsert(cancels, signal, () => listenTo(signal))
  waiting.add(cancel)
  try {
    if (signal.aborted) cancel()
    return await work()
  } finally {
    waiting.delete(cancel)
  }
}

function listenTo(signal: AbortSignal): Set<() => unknown> {
  const waiting = new Set<() => unknown>()
  const callAll = () => {
    for (const cancel of [...waiting]) {
      try {
        cancel()
      } catch (error) {
        // As for a listener: the others are called, and the process learns of it.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  signal.addEventListener('abort', callAll, { once: true })
  return waiting
}
