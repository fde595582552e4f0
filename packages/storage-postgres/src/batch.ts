const MAX_ROWS = 1000
const MAX_LENGTH = 4_000_000

/**
 * Splits writes into runs that one statement can process: consecutive, of one kind, without duplicate keys, and limited
 * in number and length. `lengthOf` returns the length of what is sent for a write.
 */
export function* runs<T extends { readonly key: string }>(
  writes: readonly T[],
  kindOf: (write: T) => unknown,
  lengthOf: (write: T) => number,
): Generator<T[]> {
  let run: T[] = []
  let keys = new Set<string>()
  let length = 0
  for (const write of writes) {
    const own = lengthOf(write)
    const first = run[0]
    if (
      first !== undefined &&
      (run.length === MAX_ROWS || length + own > MAX_LENGTH || keys.has(write.key) || kindOf(first) !== kindOf(write))
    ) {
      yield run
      run = []
      keys = new Set()
      length = 0
    }
    run.push(write)
    keys.add(write.key)
    length += own
  }
  if (run.length > 0) yield run
}
