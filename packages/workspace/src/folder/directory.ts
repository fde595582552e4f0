import { existsSync } from 'node:fs'
import { constants, type FileHandle, lstat, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@minions/files'
import { unlessExists } from '../files/unless-exists.js'
import { refused } from './data-path.js'

/** Where a directory is addressed by its open handle, no symlink can be inserted into a path between check and use. */
const HANDLES = '/proc/self/fd'
const byHandle = existsSync(HANDLES)
const OPEN = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** A directory below `data/` that was reached without following a symlink. */
export class Directory {
  /** The path prefix for its entries; valid until `close`. */
  readonly path: string
  readonly #handle: FileHandle | undefined

  private constructor(path: string, handle: FileHandle | undefined) {
    this.path = handle ? `${HANDLES}/${handle.fd}` : path
    this.#handle = handle
  }

  /**
   * Walks from `base` through the names, one directory at a time, optionally creating missing ones. Throws
   * `PATH_REFUSED` at a symlink, even a dangling one, and the error of the system when a directory is missing.
   */
  static async walk(base: string, names: readonly string[], create: boolean): Promise<Directory> {
    let current = await Directory.#enter(base)
    for (const name of names) {
      const path = join(current.path, name)
      try {
        if (create) await unlessExists(mkdir(path))
        const next = await Directory.#enter(path)
        await current.close()
        current = next
      } catch (error) {
        await current.close()
        throw error
      }
    }
    return current
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }

  static async #enter(path: string): Promise<Directory> {
    if (byHandle) {
      try {
        return new Directory(path, await open(path, OPEN))
      } catch (error) {
        // Depending on the system a symlink is either of the two; a file in the way is ENOTDIR as well.
        if (!isSystemError(error, 'ELOOP', 'ENOTDIR')) throw error
      }
    }
    const found = await lstat(path)
    if (found.isSymbolicLink()) throw refused(path, 'symlink', 'leads through a symlink')
    if (!found.isDirectory()) throw refused(path, 'not-a-directory', 'leads through something that is not a directory')
    return new Directory(path, undefined)
  }
}
