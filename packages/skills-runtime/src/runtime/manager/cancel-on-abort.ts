/** Runs work that is cancelled when a signal is aborted. */
export async function cancelOnAbort<T>(signal: AbortSignal, cancel: () => unknown, work: () => Promise<T>): Promise<T> {
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
