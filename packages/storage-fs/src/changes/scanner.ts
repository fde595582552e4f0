import { lstatSync } from 'node:fs'
import type { FileIndex } from '../store/file-index.js'
import type { ChangeSource, Watched } from './change-source.js'

/** A file this recent may change again without a new modification time. */
const YOUNG = 2000
/** Milliseconds between two scans while someone only waits for changes. */
const ASK_EVERY = 1000

/**
 * Finds changes by checking the time and size of every file on each call. Works everywhere, and takes longer the more
 * files there are.
 */
export class Scanner implements ChangeSource {
  readonly #watched: Watched
  #known = new Map<string, string>()
  #askedAt = 0

  constructor(watched: Watched) {
    this.#watched = watched
  }

  all(): string[] {
    this.#watched.folder.foldersChanged()
    const files = this.#files()
    this.#known = new Map(files.map((path) => [path, this.#signature(path)]))
    return files
  }

  async changed(index: FileIndex): Promise<readonly string[]> {
    const before = this.#known
    const files = this.all()
    const now = this.#known
    const gone = [...before.keys(), ...index.paths()].filter((path) => !now.has(path))
    return [...files.filter((path) => now.get(path) === '' || now.get(path) !== before.get(path)), ...new Set(gone)]
  }

  mayHaveChanged(): boolean {
    const now = performance.now()
    if (now - this.#askedAt < ASK_EVERY) return false
    this.#askedAt = now
    return true
  }

  /** It sees files, not operations; a comparison shows that they are as expected. */
  expect(): void {}

  created(): void {}

  close(): void {}

  #files(): string[] {
    const { folder } = this.#watched
    return this.#watched.collectionFolders().flatMap((path) => folder.walk(path))
  }

  /** Empty where nothing can be concluded from it. */
  #signature(path: string): string {
    const stats = lstatSync(this.#watched.folder.absolute(path), { bigint: true, throwIfNoEntry: false })
    if (!stats || Number(stats.mtimeMs) > Date.now() - YOUNG || Number(stats.ctimeMs) > Date.now() - YOUNG) return ''
    return [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join()
  }
}
