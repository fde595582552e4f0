interface Deadline {
  readonly at: number
  readonly expire: () => void
}

/** Deadlines that have not passed. One timer serves them all, since arming one for each would cost more than a write. */
const pending = new Set<Deadline>()
let timer: { readonly at: number; readonly handle: ReturnType<typeof setTimeout> } | undefined

/** Calls `expire` in so many milliseconds, unless the returned function is called before. */
export function setDeadline(milliseconds: number, expire: () => void): () => void {
  const deadline = { at: performance.now() + milliseconds, expire }
  pending.add(deadline)
  if (timer === undefined || deadline.at < timer.at) arm(deadline.at)
  return () => pending.delete(deadline)
}

function arm(at: number): void {
  if (timer !== undefined) clearTimeout(timer.handle)
  const handle = setTimeout(check, Math.max(0, at - performance.now()))
  // A deadline that nobody waits for must not keep a process alive. Browsers give a number here.
  if (typeof handle === 'object') (handle as { unref?: () => void }).unref?.()
  timer = { at, handle }
}

function check(): void {
  timer = undefined
  const time = performance.now()
  let next = Number.POSITIVE_INFINITY
  for (const deadline of pending) {
    if (deadline.at <= time) {
      pending.delete(deadline)
      deadline.expire()
    } else {
      next = Math.min(next, deadline.at)
    }
  }
  if (next !== Number.POSITIVE_INFINITY) arm(next)
}
