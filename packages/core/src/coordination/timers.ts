import { coreError } from '../errors/codes.js'
import { guarded, requireFunction } from '../errors/guard.js'
import { quote } from '../errors/quote.js'
import { takeFunction, takeSignal } from '../errors/take.js'
/** Source of delays, so that tests can control time. */
export interface Timers {
  /** Monotonic milliseconds with an arbitrary origin. */
  now(): number
  /** Calls back once after the given milliseconds, unless the returned function is called first. */
  set(milliseconds: number, callback: () => void, options?: TimerOptions): () => void
}

export interface TimerOptions {
  /** A background timer does not keep the process alive. */
  readonly background?: boolean
}

/** The longest delay the platform supports, about 24 days; it fires longer timers immediately. */
const LONGEST = 2 ** 31 - 1

/** The timers of the platform. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  set: guarded('systemTimers.set', (milliseconds, callback, options) => {
    requireFunction('A timer', callback)
    if (typeof milliseconds !== 'number') {
      throw coreError('VALIDATION_FAILED', `A timer needs a number of milliseconds, not ${quote(milliseconds)}.`)
    }
    // Browsers give a number.
    const handle: number | { unref(): void } = setTimeout(callback, Math.min(milliseconds, LONGEST))
    if (options?.background && typeof handle === 'object') (handle as { unref(): void }).unref()
    return () => clearTimeout(handle)
  }) satisfies Timers['set'],
}

/** Resolves after the given milliseconds, or rejects with the reason of the signal. */
export const sleep = guarded('sleep', sleepUnchecked)

function sleepUnchecked(milliseconds: number, timers: Timers = systemTimers, signal?: AbortSignal): Promise<void> {
  checkWaiting(timers, signal)
  return new Promise((resolve, reject) => {
    const cancel = timers.set(milliseconds, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    const abort = () => {
      cancel()
      reject(signal?.reason)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Calls `task` repeatedly, each time the given milliseconds after it has ended, until the returned function is called.
 * `onError` receives its rejections.
 */
export const repeat = guarded('repeat', repeatUnchecked, { callsBack: true })

function repeatUnchecked(
  milliseconds: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
  timers: Timers = systemTimers,
  options?: TimerOptions,
): () => void {
  checkWaiting(timers, undefined)
  takeFunction('The task of repeat', task)
  takeFunction('`onError` of repeat', onError)
  let isStopped = false
  let cancel = () => {}
  const plan = () => {
    if (!isStopped) cancel = timers.set(milliseconds, tick, options)
  }
  const tick = () => {
    void task().catch(onError).finally(plan)
  }
  plan()
  return () => {
    isStopped = true
    cancel()
  }
}

/** Throws `VALIDATION_FAILED` unless these can be used for waiting. */
export const checkWaiting = guarded('A wait', (timers: Timers, signal: AbortSignal | undefined): void => {
  if (typeof timers?.set !== 'function')
    throw coreError('VALIDATION_FAILED', `Timers need \`set\`, not ${quote(timers)}.`)
  takeSignal('A signal', signal)
})
