/** True for a promise, and for anything else that can be awaited. Throws what reading the value throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
