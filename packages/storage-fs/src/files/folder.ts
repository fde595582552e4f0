import { isUtf8 } from 'node:buffer'
import { hash, randomBytes } from 'node:crypto'
import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { posix } from 'node:path'
import { MinionsError } from '@minions/core'
import { isSystemError, replaceFileSync, systemCode } from '@minions/files'

/** The folder for everything that is not a record. */
export const STATE_FOLDER = '.minions'
export const LOCKS = `${STATE_FOLDER}/locks`
const TEMPORARY = `${STATE_FOLDER}/tmp`
const SET_ASIDE = `${STATE_FOLDER}/set-aside`

/** Maximum size of a record. */
const MAX_FILE_LENGTH = 256 * 1024 * 1024

/** Neither follow links nor block on a pipe. Windows has neither flag. */
// Node accepts a number here; the types of `readFileSync` allow only strings.
const READ = (constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)) as unknown as string

/** Names of files that could be records. */
export const EXTENSION = /\.(json|yaml)$/

/** The entry at a path: a file, nothing, or something that is not read. */
export type FileContent =
  /** `text` is undefined if the bytes are not text in UTF-8. */
  | { readonly kind: 'file'; readonly text: string | undefined; readonly hash: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly hash: string; readonly message: string }

export function contentHash(content: Buffer | string): string {
  return hash('sha256', content).slice(0, 32)
}

/**
 * The root of a store, and the only access to its files. Paths are relative to it with `/` between names, and were
 * created by us or read from folders; links are never followed, so nothing outside is reached.
 */
export class Folder {
  readonly root: string
  readonly #prefix = randomBytes(6).toString('hex')
  /** Folders known to exist and not to be links, since folders last changed. */
  readonly #checked = new Set<string>()
  #temporaries = 0

  /** `root` is the real path of a folder that exists. */
  constructor(root: string) {
    this.root = root
  }

  absolute(path: string): string {
    return `${this.root}/${path}`
  }

  /** Reads a file. `walked` means that its folders were just verified to be folders, not links. */
  read(path: string, { walked = false }: { walked?: boolean } = {}): FileContent {
    const folder = walked ? undefined : this.linkIn(posix.dirname(path))
    if (folder !== undefined) return refused(`${folder} is a link; links are not followed`)
    try {
      return readText(this.absolute(path)) ?? refused(`${path} is larger than ${MAX_FILE_LENGTH} characters`)
    } catch (error) {
      const code = systemCode(error)
      if (code === undefined) throw error
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
      if (code === 'ELOOP') return refused(`${path} is a link; links are not followed`)
      return refused(`${path} cannot be read (${code})`)
    }
  }

  /** Replaces a file atomically: readers see the old one or the new one. */
  write(path: string, content: string | Buffer, { durable = false }: { durable?: boolean } = {}): void {
    this.#temporaries += 1
    this.refuseLinks(path)
    const draft = this.absolute(`${TEMPORARY}/${this.#prefix}-${this.#temporaries}`)
    replaceFileSync(this.absolute(path), content, draft, durable)
  }

  remove(path: string): void {
    try {
      unlinkSync(this.absolute(path))
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
    }
  }

  /** Moves a file that is not ours to delete out of the way. */
  setAside(path: string): void {
    this.refuseLinks(path)
    const base = `${SET_ASIDE}/${path}`
    mkdirSync(posix.dirname(this.absolute(base)), { recursive: true })
    let target = base
    for (let count = 2; this.exists(target); count++) target = `${base}-${count}`
    renameSync(this.absolute(path), this.absolute(target))
  }

  listSetAside(): string[] {
    return this.walk(SET_ASIDE)
  }

  /** Files below a folder, including links and other special files, whose reading is refused. */
  walk(path: string, visit: (folder: string) => void = () => {}): string[] {
    if (this.isLink(path)) return [path]
    const files: string[] = []
    const pending = [path]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      visit(folder)
      for (const name of this.#names(folder)) {
        const entry = `${folder}/${name}`
        if (name.startsWith('.')) continue
        // Determining its type takes longer than reading it, so anything named like a record is treated as one.
        if (!EXTENSION.test(name) && this.isFolder(entry)) pending.push(entry)
        else files.push(entry)
      }
    }
    return files
  }

  exists(path: string): boolean {
    return existsSync(this.absolute(path))
  }

  isFolder(path: string): boolean {
    return lstatSync(this.absolute(path), { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  isLink(path: string): boolean {
    return lstatSync(this.absolute(path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  }

  /** The first folder on the way to a path that is a link, through which nothing may be written. */
  linkIn(path: string): string | undefined {
    if (path === '.' || this.#checked.has(path)) return undefined
    const above = this.linkIn(posix.dirname(path))
    if (above !== undefined) return above
    const stats = lstatSync(this.absolute(path), { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) return path
    if (stats?.isDirectory()) this.#checked.add(path)
    return undefined
  }

  /** Folders have changed, so one of them may have been replaced with a link. */
  foldersChanged(): void {
    this.#checked.clear()
  }

  /** Throws if writing to a path would leave the root. */
  refuseLinks(path: string): void {
    const link = this.linkIn(posix.dirname(path))
    if (link === undefined) return
    throw new MinionsError(
      'STORAGE_UNAVAILABLE',
      `The file store "${this.root}" does not write through the link "${link}"; replace it with a folder.`,
      { details: { root: this.root, path: link } },
    )
  }

  /** Leftovers of a crashed process. Only the holder of the lock writes, so they are not needed. */
  clearTemporaries(): void {
    for (const name of readdirSync(this.absolute(TEMPORARY)))
      rmSync(this.absolute(`${TEMPORARY}/${name}`), { force: true })
  }

  /** Creates a folder if it is missing, and returns whether it did. */
  makeFolder(path: string): boolean {
    if (this.#checked.has(path)) return false
    this.refuseLinks(path)
    const isCreated = mkdirSync(this.absolute(path), { recursive: true }) !== undefined
    if (isCreated) this.#checked.add(path)
    return isCreated
  }

  createStateFolders(): void {
    for (const path of [STATE_FOLDER, TEMPORARY, LOCKS]) {
      mkdirSync(this.absolute(path), { recursive: true })
      this.refuseLinks(`${path}/x`)
    }
  }

  #names(path: string): string[] {
    try {
      return readdirSync(this.absolute(path))
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
      throw error
    }
  }
}

/** By far the fastest way to read a small file. Undefined if it is too large. */
function readText(file: string): FileContent | undefined {
  try {
    const text = readFileSync(file, { encoding: 'utf8', flag: READ })
    if (text.length > MAX_FILE_LENGTH) return undefined
    // Either the file contains this character, or it replaces bytes that are not text.
    if (text.includes('\ufffd')) return readBytes(file)
    return { kind: 'file', text, hash: contentHash(text) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG') return undefined
    throw error
  }
}

function readBytes(file: string): FileContent {
  const bytes = readFileSync(file, { flag: READ })
  return { kind: 'file', text: isUtf8(bytes) ? bytes.toString('utf8') : undefined, hash: contentHash(bytes) }
}

function refused(message: string): FileContent {
  return { kind: 'refused', hash: contentHash(message), message }
}
