/** Where the runtime's waiting comes from, so that tests can let time pass by hand. */
export interface Timers {
  /** Milliseconds that only ever grow; their origin means nothing. */
  now(): number
  /** Calls back once after so many milliseconds, unless the returned function is called before. */
  set(milliseconds: number, callback: () => void, options?: TimerOptions): () => void
}

export interface TimerOptions {
  /** A timer in the background does not keep the process alive. */
  readonly background?: boolean
}

/** The platform takes longer times for none at all. It is more than three weeks. */
const LONGEST = 2 ** 31 - 1

/** The timers of the platform. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  set(milliseconds, callback, options) {
    const handle = setTimeout(callback, Math.min(milliseconds, LONGEST))
    if (options?.background) handle.unref()
    return () => clearTimeout(handle)
  },
}
