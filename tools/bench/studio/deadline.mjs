// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds after which a figure is not worth waiting for any longer. */
export const DEADLINE = 30_000

/**
 * Resolves as the work does, and rejects when it takes too long: a benchmark must fail, not hang.
 *
 * @template T
 * @param {string} what that does not happen
 * @param {Promise<T>} work
 * @param {number} [milliseconds]
 * @returns {Promise<T>}
 */
export async function withDeadline(what, work, milliseconds = DEADLINE) {
  const stop = new AbortController()
  const expired = sleep(milliseconds, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`${what}: did not happen within ${milliseconds / 1000} s`)
  })
  // Once the work is done, this is aborted.
  expired.catch(() => undefined)
  try {
    return await Promise.race([work, expired])
  } finally {
    stop.abort()
  }
}
