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
  }

  cancel(): void {
    if (this.index < 0) return
    const last = pending.pop() as Deadline
    if (last !== this) {
      pending[this.index] = last
      last.index = this.index
    }
    this.index = -1
  }
}

/** Deadlines that have not passed. One timer serves them all, since arming one for each would cost more than a write. */
const pending: Deadline[] = []
/** Timers that run longer fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1

let timer: { readonly at: number; readonly handle: ReturnType<typeof setTimeout> } | undefined

function arm(at: number): void {
  if (timer !== undefined) clearTimeout(timer.handle)
  const handle = setTimeout(check, Math.min(LONGEST_TIMER, Math.max(0, at - performance.now())))
  // A deadline that nobody waits for must not keep a process alive. Browsers give a number here.
  if (typeof handle === 'object') (handle as { unref?: () => void }).unref?.()
  timer = { at, handle }
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
