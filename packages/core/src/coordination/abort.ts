import { guarded } from '../errors/guard.js'
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

/** Runs work, and calls `cancel` if the signal is aborted before the work has ended. */
export const cancelOnAbort = guarded('cancelOnAbort', cancelOnAbortUnchecked, { callsBack: true })

async function cancelOnAbortUnchecked<T>(
  signal: AbortSignal | undefined,
  cancel: () => unknown,
  work: () => Promise<T>,
): Promise<T> {
  checkWaiting(systemTimers, signal)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    if (signal?.aborted) cancel()
    return await work()
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
