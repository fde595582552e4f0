import { randomBytes } from 'node:crypto'
import { constants, type FileHandle, lstat, open, readdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compareCodePoints } from '@minions/core/json'
import { guarded, guardMethods } from '@minions/core/plugin'
import { isSystemError } from '@minions/files'
import { unavailable, workspaceError } from '../errors.js'
import { makeDirectory } from '../files/make-directory.js'
import { isMissing } from '../files/read-text.js'
import type { Workspace } from '../graph/workspace.js'
import { dataPathNames, refused } from './data-path.js'
import { Directory } from './directory.js'
import { WorkspaceLayout } from './layout.js'

/** Names of temporary files; a crash may leave one. */
const TEMPORARY = '.minions-tmp-'
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW
/** A pipe must not block the read: it is opened, recognised, and refused. */
const READ = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0)

/** The files below a workspace's `data/`. Paths are relative to it, with `/` between names on every system. */
export interface DataFiles {
  /** The text of a file. Throws `NOT_FOUND` when there is none. */
  read(path: string): Promise<string>
  /** The bytes of a file. Throws `NOT_FOUND` when there is none. */
  readBytes(path: string): Promise<Uint8Array>
  /** Writes a file atomically, creating missing directories. */
  write(path: string, content: string | Uint8Array): Promise<void>
  /** The paths of all files, or of those below a directory, sorted. Symlinks are left out. */
  list(path?: string): Promise<string[]>
  /** Deletes a file or an empty directory; false when there is none. */
  delete(path: string): Promise<boolean>
}

/**
 * Opens the data boundary of a workspace: nothing outside its `data/` is read or written. Every path that would leave it
 * is refused with `PATH_REFUSED`.
 */
export const dataFiles = guarded('dataFiles', (workspace: Pick<Workspace, 'name' | 'root_path'>): DataFiles => {
  if (typeof workspace.root_path !== 'string') {
    const message = `The workspace "${workspace.name}" has no folder yet. Call ensureWorkspace first.`
    throw workspaceError('NOT_FOUND', message)
  }
  return new BoundedFiles(WorkspaceLayout.fromRoot(workspace.root_path).dataDir)
})

class BoundedFiles implements DataFiles {
  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  async read(path: string): Promise<string> {
    return Buffer.from(await this.readBytes(path)).toString('utf8')
  }

  readBytes(path: string): Promise<Uint8Array> {
    return this.#inParent(path, false, async (file) => {
      const handle = await openFile(file, path)
      try {
        if (!(await handle.stat()).isFile()) throw refused(path, 'not-a-file', 'is not a file')
        return await handle.readFile()
      } finally {
        await handle.close()
      }
    })
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    dataPathNames(path)
    await makeDirectory(this.#base)
    await this.#inParent(path, true, async (file, directory) => {
      const found = await lstat(file).catch(() => undefined)
      if (found && !found.isFile()) throw notAFile(path, found.isSymbolicLink())
      // Not `replaceFile`, which resolves links and so could leave the boundary.
      const temporary = join(directory, TEMPORARY + randomBytes(8).toString('hex'))
      try {
        await writeFile(temporary, content, { flag: WRITE_NEW })
        await rename(temporary, file)
      } catch (error) {
        await unlink(temporary).catch(() => undefined)
        throw error
      }
    })
  }

  async list(path?: string): Promise<string[]> {
    const names = path === undefined || path === '' ? [] : dataPathNames(path)
    const files: string[] = []
    await this.#collect(names, files)
    return files.sort(compareCodePoints)
  }

  async delete(path: string): Promise<boolean> {
    try {
      await this.#inParent(path, false, async (file) => {
        const found = await lstat(file)
        if (found.isSymbolicLink()) throw notAFile(path, true)
        await (found.isDirectory() ? rmdir(file) : unlink(file))
      })
      return true
    } catch (error) {
      if (workspaceError.is(error, 'NOT_FOUND')) return false
      throw error
    }
  }

  /** Runs `work` with a path that stays inside the boundary while it runs, and the path of its directory. */
  async #inParent<T>(path: string, create: boolean, work: (file: string, directory: string) => Promise<T>): Promise<T> {
    const names = dataPathNames(path)
    const name = names.pop() as string
    let directory: Directory | undefined
    try {
      directory = await Directory.walk(this.#base, names, create)
      return await work(join(directory.path, name), directory.path)
    } catch (error) {
      if (isMissing(error)) {
        throw workspaceError('NOT_FOUND', `There is no file ${JSON.stringify(path)} in ${this.#base}.`, {
          details: { path },
          cause: error,
        })
      }
      throw unavailable('Access', path, error)
    } finally {
      await directory?.close()
    }
  }

  async #collect(names: readonly string[], files: string[]): Promise<void> {
    const below: string[] = []
    let directory: Directory | undefined
    try {
      directory = await Directory.walk(this.#base, names, false)
      for (const entry of await readdir(directory.path, { withFileTypes: true })) {
        if (entry.isDirectory()) below.push(entry.name)
        else if (entry.isFile() && !entry.name.startsWith(TEMPORARY)) files.push([...names, entry.name].join('/'))
      }
    } catch (error) {
      if (!isMissing(error)) throw unavailable('Listing', names.join('/') || this.#base, error)
    } finally {
      await directory?.close()
    }
    for (const name of below) await this.#collect([...names, name], files)
  }
}

guardMethods(BoundedFiles)

async function openFile(file: string, path: string): Promise<FileHandle> {
  try {
    if (NO_FOLLOW === 0 && (await lstat(file)).isSymbolicLink()) throw notAFile(path, true)
    return await open(file, READ)
  } catch (error) {
    if (isSystemError(error, 'ELOOP', 'EMLINK')) throw notAFile(path, true)
    if (isSystemError(error, 'ENXIO', 'EISDIR')) throw notAFile(path, false)
    throw error
  }
}

function notAFile(path: string, symlink: boolean): Error {
  return symlink ? refused(path, 'symlink', 'is a symlink') : refused(path, 'not-a-file', 'is not a file')
}
