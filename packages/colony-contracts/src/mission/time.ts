/** The instant of a timestamp that matches its pattern, in milliseconds since 1970. */
export function instantOf(timestamp: string): number {
  return Date.parse(timestamp)
}

/** Sorts a copy by `created_at`, stable for equal times. */
export function byCreation<T extends { readonly created_at: string }>(artifacts: readonly T[]): T[] {
  return artifacts
    .map((artifact) => ({ artifact, time: instantOf(artifact.created_at) }))
    .sort((a, b) => a.time - b.time)
    .map(({ artifact }) => artifact)
}
