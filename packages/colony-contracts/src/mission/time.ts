/** The instant of a timestamp that matches its pattern, in milliseconds since 1970. */
export function instantOf(timestamp: string): number {
  return Date.parse(timestamp)
}

/** The last item of a list in order of time that is not later than a moment. */
export function latestUpTo<T>(items: readonly T[], timeOf: (item: T) => number, time: number): T | undefined {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeOf(items[middle] as T) <= time) low = middle + 1
    else high = middle
  }
  return items[low - 1]
}

/** Sorts a copy by `created_at`, stable for equal times. */
export function byCreation<T extends { readonly created_at: string }>(artifacts: readonly T[]): T[] {
  return artifacts
    .map((artifact) => ({ artifact, time: instantOf(artifact.created_at) }))
    .sort((a, b) => a.time - b.time)
    .map(({ artifact }) => artifact)
}
