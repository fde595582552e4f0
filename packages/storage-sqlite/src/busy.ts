import { setTimeout as sleep } from 'node:timers/promises'
import { sqliteCode } from './errors.js'

/** True if another connection holds a lock that will be released by itself. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(sqliteCode(error) ?? '')
}

/**
 * Tries again, with growing pauses, while another process holds the lock, up to a deadline. Never waits inside the
 * driver: if this process itself holds the lock, it must be able to continue and release it.
 */
export async function whileBusy<T>(timeout: number, attempt: () => T): Promise<T> {
  const deadline = Date.now() + timeout
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error
    }
    // Processes waiting for the same lock should not all retry at once.
    await sleep(pause * (0.5 + Math.random()))
  }
}
