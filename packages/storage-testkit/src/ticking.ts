/** A clock for tests that advances by one millisecond each time it is read. */
export function ticking(start = Date.UTC(2026, 0, 1)): () => number {
  let time = start
  return () => {
    time += 1
    return time
  }
}
