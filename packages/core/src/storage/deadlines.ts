/** A moment until which something must have ended. */
export class Deadline {
  readonly at: number
  readonly expire: () => void
  /** Its place among those that have not passed; -1 when it is none of them. */
  index: number

  /** Calls `expire` in so many milliseconds, unless it is cancelled before. */
  constructor(milliseconds: number, expire: () => void) {
    this.at = performance.now() + milliseconds
    this.expire = expire
    this.index = pending.push(this) - 1
    if (timer === undefined || this.at < timer.at) arm(this.at)
    else if (pending.length === 1) keepAlive(timer.handle, true)
  }

  cancel(): void {
    if (this.index < 0) return
    const last = pending.pop() as Deadline
    if (last !== this) {
      pending[this.index] = last
      last.index = this.index
    }
    this.index = -1
    if (pending.length === 0 && timer !== undefined) keepAlive(timer.handle, false)
  }
}

/** Deadlines that have not passed. One timer serves them all, since arming one for each would cost more than a write. */
const pending: Deadline[] = []
/** Timers that run longer fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1

let timer: { readonly at: number; readonly handle: TimerHandle } | undefined

/** Browsers give a number. */
type TimerHandle = ReturnType<typeof setTimeout> | { ref?(): void; unref?(): void }

function arm(at: number): void {
  if (timer !== undefined) clearTimeout(timer.handle as number)
  timer = { at, handle: setTimeout(check, Math.min(LONGEST_TIMER, Math.max(0, at - performance.now()))) }
}

/**
 * The timer keeps a process alive as long as a deadline is pending, or one that waits for itself would end without a
 * word. It stays armed when none is pending any more, and must not keep a process alive then.
 */
function keepAlive(handle: TimerHandle, wanted: boolean): void {
  if (typeof handle !== 'object') return
  if (wanted) handle.ref?.()
  else handle.unref?.()
}

function check(): void {
  timer = undefined
  const time = performance.now()
  const passed = pending.filter(({ at }) => at <= time)
  for (const deadline of passed) {
    deadline.cancel()
    deadline.expire()
  }
  const next = pending.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY)
  if (next !== Number.POSITIVE_INFINITY) arm(next)
}
