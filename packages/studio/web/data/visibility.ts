/**
 * Resolves while the page is in view. A page behind another tab follows nothing: browsers open six connections to a server,
 * over all tabs, and each feed takes one.
 */
export function untilVisible(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden') return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    look()
  })
}

/** A signal that is aborted when the page goes out of view; `end` stops watching. */
export function untilHidden(): { readonly signal: AbortSignal; end(): void } {
  const stop = new AbortController()
  const look = () => {
    if (document.visibilityState === 'hidden') stop.abort()
  }
  document.addEventListener('visibilitychange', look)
  return { signal: stop.signal, end: () => document.removeEventListener('visibilitychange', look) }
}
