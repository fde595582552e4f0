import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { coreError } from '@minions/core'
import { currentProcess, formatProcess, hasEnded, parseProcess } from '@minions/core/coordination'
import { guardMethods, takeFunction, takeOptions } from '@minions/core/plugin'
import { requireText } from './require-text.js'
import { isSystemError } from './system-error.js'

export interface FileLockOptions {
  /** The directory of the lock files. It is created if missing. */
  readonly directory: string
  /** Prefix of the lock file names, where the directory holds other files. Default: empty. */
  readonly prefix?: string
  /** Creates the error of a timed-out wait. `files` are the names of the lock files of others. */
  readonly busy: (files: readonly string[]) => Error
}

/** Marks, in a file name, a process that does not hold the lock, and one that waits for it. */
const FREE = 'free-'
const WAITING = 'wait-'
const LONGEST_PAUSE = 8

/**
 * A lock between processes. Each process has a file with a unique name, created exclusively, which identifies its
 * owner. Taking the lock means renaming that file to a lock name and then checking: the lock is held if there is no
 * other lock of a living process. Of two concurrent attempts, both may see each other and step back, but never do both
 * proceed. Because names are never reused, removing the file of a process that has ended is safe for every process,
 * however late.
 */
export class FileLock {
  readonly #options: FileLockOptions
  readonly #prefix: string
  readonly #name = `${formatProcess(currentProcess())}-${randomBytes(8).toString('hex')}`
  readonly #held: string
  readonly #free: string
  readonly #waiting: string
  /** This process held it last, so waiting ones come first. */
  #wasHeld = false

  constructor(options: FileLockOptions) {
    const taken = takeOptions('The options of a lock', options)
    const { directory, prefix = '' } = taken
    requireText('The directory of a lock', directory)
    requireText('The prefix of a lock', prefix)
    takeFunction('`busy` of a lock', taken.busy)
    this.#options = taken
    this.#prefix = prefix
    this.#held = join(directory, prefix + this.#name)
    this.#free = join(directory, prefix + FREE + this.#name)
    this.#waiting = join(directory, prefix + WAITING + this.#name)
  }

  /** Waits for the lock at most `timeout` milliseconds, then throws the error of `busy`. */
  async acquire(timeout: number): Promise<void> {
    if (typeof timeout !== 'number' || Number.isNaN(timeout)) {
      throw coreError('VALIDATION_FAILED', 'The time to wait for a lock must be a number of milliseconds.')
    }
    const deadline = performance.now() + timeout
    const wasHeld = this.#wasHeld
    this.#wasHeld = false
    let pause = 1
    try {
      for (let found = this.#attempt(wasHeld); found !== 'free'; found = this.#attempt(false)) {
        if (found === 'awaited') {
          await sleep(Math.min(timeout, LONGEST_PAUSE * 1.5))
          continue
        }
        rename(this.#free, this.#waiting)
        do {
          if (performance.now() >= deadline) throw this.#options.busy(this.#others(this.#files()))
          // Processes that stepped back for each other should not meet again.
          await sleep(pause * (0.5 + Math.random()))
        } while (this.#others(this.#files()).length > 0)
        pause = Math.min(pause * 2, LONGEST_PAUSE)
      }
      this.#wasHeld = true
    } finally {
      if (!this.#wasHeld) rename(this.#waiting, this.#free)
    }
  }

  /** True if the file still exists and was not removed, for instance by cleaning up the directory. */
  get isHeld(): boolean {
    return existsSync(this.#held)
  }

  release(): void {
    rename(this.#held, this.#free)
  }

  /** Removes the file, even while the lock is held. */
  close(): void {
    unlink(this.#held)
    unlink(this.#free)
    unlink(this.#waiting)
  }

  /** Removes the files of processes that have ended. A process waiting for a lock removes them too. */
  removeStale(): void {
    for (const name of this.#files()) {
      const owner = ownerOf(name.replace(FREE, '').replace(WAITING, ''))
      if (owner && hasEnded(owner)) this.#unlink(name)
    }
  }

  /** Takes the lock if it is free. One that `yields` leaves it to those who wait: it would always be first. */
  #attempt(yields: boolean): 'free' | 'awaited' | 'taken' {
    if (!rename(this.#free, this.#held) && !rename(this.#waiting, this.#held)) this.#create()
    const names = this.#files()
    const isTaken = this.#others(names).length > 0
    if (!isTaken && !(yields && this.#others(names, WAITING).length > 0)) return 'free'
    this.release()
    return isTaken ? 'taken' : 'awaited'
  }

  /** Locks of other processes that may be alive; with `WAITING`, the files of those that wait. */
  #others(names: readonly string[], mark = ''): string[] {
    return names.flatMap((name) => {
      const isOurs = name === mark + this.#name
      const owner = isOurs || !name.startsWith(mark) ? undefined : ownerOf(name.slice(mark.length))
      if (!owner) return []
      if (!hasEnded(owner)) return [this.#prefix + name]
      this.#unlink(name)
      return []
    })
  }

  #create(): void {
    mkdirSync(this.#options.directory, { recursive: true })
    const descriptor = openSync(this.#held, 'wx')
    try {
      // For people who find the file; the name contains everything, so a full disk does not matter here.
      const { pid, start } = currentProcess()
      writeFileSync(descriptor, `${JSON.stringify({ pid, processStarted: start, host: hostname() })}\n`)
    } catch {
    } finally {
      closeSync(descriptor)
    }
  }

  /** The names that begin with the prefix, without it. */
  #files(): string[] {
    try {
      const names = readdirSync(this.#options.directory).filter((name) => name.startsWith(this.#prefix))
      return names.map((name) => name.slice(this.#prefix.length))
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return []
      throw error
    }
  }

  #unlink(name: string): void {
    unlink(join(this.#options.directory, this.#prefix + name))
  }
}

guardMethods(FileLock, { callsBack: true })

function ownerOf(name: string) {
  const match = /^(.+)-[0-9a-f]{16}$/.exec(name)
  return match?.[1] === undefined ? undefined : parseProcess(match[1])
}

/** False if there is no such file. */
function ifThere(change: () => void): boolean {
  try {
    change()
    return true
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    return false
  }
}

const rename = (from: string, to: string) => ifThere(() => renameSync(from, to))
const unlink = (file: string) => ifThere(() => unlinkSync(file))
