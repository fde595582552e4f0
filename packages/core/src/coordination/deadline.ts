import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { quote } from '../errors/quote.js'
import { takeFunction } from '../errors/take.js'
import { checkWaiting, systemTimers, type Timers } from './timers.js'

export interface DeadlineOptions<T> {
  /** Milliseconds. Default, and if infinite: no limit. */
  readonly timeout?: number | undefined
  /** Called on timeout: what it returns or throws replaces the outcome of the work. */
  readonly expired: () => T
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Called immediately when the wait ends before the work does, on timeout or abort. */
  readonly abandon?: (() => void) | undefined
  readonly timers?: Timers | undefined
}

/** Settles as `work` does, unless the timeout or the signal comes first. Leaves no timer and no listener behind. */
export const withDeadline = guarded('withDeadline', withDeadlineUnchecked, { callsBack: true })

function withDeadlineUnchecked<T>(work: Promise<T>, options: DeadlineOptions<T>): Promise<T> {
  const { timeout = Number.POSITIVE_INFINITY, expired, signal, abandon, timers = systemTimers } = options
  checkWaiting(timers, signal)
  if (typeof work?.then !== 'function') {
    throw coreError('VALIDATION_FAILED', `The work of a deadline must be a promise, not ${quote(work)}.`)
  }
  takeFunction('`expired` of a deadline', expired)
  takeFunction('`abandon` of a deadline', abandon)
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void) => {
      cancel?.()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const giveUp = (settle: () => void) => {
      abandon?.()
      end(settle)
    }
    const abort = () => giveUp(() => reject(signal?.reason))
    const expire = () => giveUp(() => resolve((async () => expired())()))
    const cancel = timeout === Number.POSITIVE_INFINITY ? undefined : timers.set(timeout, expire)
    work.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
