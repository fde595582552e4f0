import { coreError } from '@minions/core'
import type { Mutex } from '@minions/core/coordination'
import { FileLock, systemCode } from '@minions/files'
import { isReadOnly } from '../errors.js'
import { type Folder, LOCKS } from '../files/folder.js'

export interface ExclusiveOptions<T> {
  /** Runs instead where the folder cannot be written. */
  readonly withoutLock?: () => Promise<T>
  /** Milliseconds to wait for another process. */
  readonly timeout?: number
}

/** The write access to a store: in this process first, so that its stores do not poll for each other's lock. */
export class WriteLock {
  readonly #mutex: Mutex
  readonly #lock: FileLock
  readonly #timeout: number

  constructor(folder: Folder, mutex: Mutex, timeout: number) {
    this.#mutex = mutex
    this.#lock = lockOf(folder)
    this.#timeout = timeout
  }

  /** True if the lock was not taken away. */
  get isHeld(): boolean {
    return this.#lock.isHeld
  }

  async run<T>(work: () => Promise<T>, { withoutLock, timeout }: ExclusiveOptions<T> = {}): Promise<T> {
    try {
      await this.acquire(timeout)
    } catch (error) {
      if (withoutLock && isReadOnly(error)) return this.#mutex.run(withoutLock)
      throw error
    }
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  async acquire(timeout = this.#timeout): Promise<void> {
    await this.#mutex.acquire()
    try {
      await this.#lock.acquire(timeout)
    } catch (error) {
      this.#mutex.release()
      throw error
    }
  }

  /** A lock that cannot be released now delays the next caller, but does not affect the work done under it. */
  release(): void {
    try {
      ignoreSystemErrors(() => this.#lock.release())
    } finally {
      this.#mutex.release()
    }
  }

  /** Removes leftovers of processes that have ended. */
  removeStale(): void {
    this.#lock.removeStale()
  }

  /** Closes the lock, after running work in this process; `last` runs before anyone else can continue. */
  close(last: () => void): Promise<void> {
    return this.#mutex.run(async () => {
      last()
      // In a folder that cannot be written there is nothing to remove.
      ignoreSystemErrors(() => this.#lock.close())
    })
  }
}

function lockOf(folder: Folder): FileLock {
  const busy = (names: readonly string[]) => {
    const files = names.map((name) => `${LOCKS}/${name}`)
    return coreError(
      'STORAGE_BUSY',
      `Another process has locked the file store "${folder.root}"; try again. If it runs on another machine or in another ` +
        `container and is certainly gone, remove ${files.join(', ') || 'its lock file'}.`,
      { details: { root: folder.root, locks: files } },
    )
  }
  return new FileLock({ directory: folder.absolute(LOCKS), busy })
}

function ignoreSystemErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
