import { coreError } from '../errors/codes.js'

/** Timers cannot wait longer than this (about 25 days) and would fire at once instead. */
const LONGEST_TIMER = 2 ** 31 - 1

/** When an execution has to end: the caller's signal, a time limit, or both. */
export interface Deadline {
  /** What the executable listens to. */
  readonly signal: AbortSignal
  /** Rejects with the reason as soon as the signal is aborted; never resolves. */
  readonly aborted: Promise<never>
  /** Whether it was the caller, and not the time limit, that ended the execution. */
  isCancelled(): boolean
  /** Stops the timer and the listening. */
  clear(): void
}

/** Begins to watch the caller's signal and the time. Throws `VALIDATION_FAILED` for a limit that is not positive. */
export function startDeadline(outer?: AbortSignal, timeout = Number.POSITIVE_INFINITY): Deadline {
  if (!(timeout > 0)) throw coreError('VALIDATION_FAILED', `The timeout must be a positive number, not ${timeout}.`)
  const controller = new AbortController()
  const { signal } = controller
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // The signal may be aborted before anybody waits for it, and that is no unhandled rejection.
  aborted.catch(() => undefined)

  let cancelled = false
  const cancel = () => {
    cancelled = !signal.aborted
    controller.abort(outer?.reason)
  }
  const expire = () => controller.abort(new Error(`The execution did not end within ${timeout} ms.`))

  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel, { once: true })
  const timer = timeout <= LONGEST_TIMER ? setTimeout(expire, timeout) : undefined
  return {
    signal,
    aborted,
    isCancelled: () => cancelled,
    clear: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', cancel)
    },
  }
}
