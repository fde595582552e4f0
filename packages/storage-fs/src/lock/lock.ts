import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MinionsError } from '@minions/core'
import { systemCode } from '../errors.js'
import { type Folder, STATE_FOLDER } from '../folder.js'
import { isGone, lockName, parseLockName, self } from './identity.js'

const LOCKS = `${STATE_FOLDER}/locks`
/** How the file of somebody is called who does not hold the lock. */
const FREE = 'free-'
const LONGEST_PAUSE = 8

/**
 * The right to write, held for one transaction at a time. Everybody has a file whose name nobody else ever uses, created
 * exclusively. Who wants the lock gives it the name of a lock and then looks: it has the lock if there is no other lock
 * of a living process. Of two that come at once both may see each other and step back, but never do both go on. Because
 * names are never used twice, removing the file of a process that is gone is safe whoever does it, however late.
 */
export class Lock {
  readonly #folder: Folder
  readonly #locks: string
  readonly #name = lockName(self)
  readonly #held: string
  readonly #free: string

  constructor(folder: Folder) {
    this.#folder = folder
    this.#locks = folder.absolute(LOCKS)
    this.#held = join(this.#locks, this.#name)
    this.#free = join(this.#locks, FREE + this.#name)
  }

  /** Waits for the lock; throws `STORAGE_BUSY` after `timeout` milliseconds. */
  async acquire(timeout: number): Promise<void> {
    const deadline = performance.now() + timeout
    for (let pause = 1; !this.#attempt(); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      do {
        if (performance.now() >= deadline) throw busy(this.#folder, this.#others())
        // Those who stepped back for each other should not meet again.
        await sleep(pause * (0.5 + Math.random()))
      } while (this.#others().length > 0)
    }
  }

  /** Whether nobody took the file away, by cleaning up the folder for instance. */
  get isHeld(): boolean {
    return existsSync(this.#held)
  }

  release(): void {
    rename(this.#held, this.#free)
  }

  /** Removes our file. The lock must not be held. */
  close(): void {
    unlink(this.#free)
  }

  #attempt(): boolean {
    if (!rename(this.#free, this.#held)) create(this.#held)
    if (this.#others().length === 0) return true
    this.release()
    return false
  }

  /** Removes what processes left behind that are gone. Their locks are also removed by whoever is waiting for one. */
  bury(): void {
    for (const name of list(this.#locks)) {
      const owner = parseLockName(name.replace(FREE, ''))
      if (owner && isGone(owner)) unlink(join(this.#locks, name))
    }
  }

  /** Locks of others who may be alive. */
  #others(): string[] {
    return list(this.#locks).filter((name) => {
      const owner = name === this.#name ? undefined : parseLockName(name)
      if (!owner) return false
      if (!isGone(owner)) return true
      unlink(join(this.#locks, name))
      return false
    })
  }
}

function create(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'wx')
  try {
    // For people who wonder what this is; the name says it all, so a full disk does not matter here.
    writeFileSync(descriptor, `${JSON.stringify({ pid: self.pid, processStarted: self.start, host: hostname() })}\n`)
  } catch {
  } finally {
    closeSync(descriptor)
  }
}

/** False if there is no such file. */
function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return false
  }
}

function unlink(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

function list(locks: string): string[] {
  try {
    return readdirSync(locks)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

function busy(folder: Folder, names: readonly string[]): Error {
  const files = names.map((name) => `${LOCKS}/${name}`)
  return new MinionsError(
    'STORAGE_BUSY',
    `Another process holds the file store "${folder.root}"; try again. If it runs on another machine or in another ` +
      `container and is certainly gone, remove ${files.join(', ') || 'its lock file'}.`,
    { details: { root: folder.root, locks: files } },
  )
}
