import { basename, dirname, join } from 'node:path'
import { FileLock } from '@minions/files'
import { unavailable, workspaceError } from '../errors.js'

const WAIT_MS = 10_000

/**
 * Runs `work` while no other process, and nothing else in this one, has locked a file. A stale lock is broken only when
 * its process has provably ended; otherwise waiting ends with `STORAGE_BUSY` after ten seconds.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  const directory = dirname(path)
  const busy = (names: readonly string[]) => {
    const files = names.map((name) => join(directory, name))
    const message = `Another process has locked ${path}. Try again, or delete ${files.join(', ') || 'its lock'} if that process no longer exists.`
    return workspaceError('STORAGE_BUSY', message, { details: { path, locks: files } })
  }
  const lock = new FileLock({ directory, prefix: `${basename(path)}.lock-`, busy })
  try {
    await lock.acquire(waitMs).catch((error) => {
      throw unavailable('Locking', path, error)
    })
    return await work()
  } finally {
    lock.close()
  }
}
