import { closeSync, constants, fsync, open } from 'node:fs'
import { dirname } from 'node:path'
import { getOrInsert } from '@minions/core/json'
import { type Folder, STATE_FOLDER } from '../files/folder.js'
import type { Change } from '../journal/record.js'

const INDEX = `${STATE_FOLDER}/index`
const FLUSHED_AT_ONCE = 16

/** The file of a record, and its state when it was last in sync with the store. */
export interface Entry {
  readonly collection: string
  readonly key: string
  readonly path: string
  readonly hash: string
  readonly revision: string
  /** The file is as it was written by hand. */
  readonly edited: boolean
}

/** All record files, by path and by key. */
export class FileIndex {
  /** The generation read from disk, if any. */
  readonly generation: number | undefined
  readonly #byPath = new Map<string, Entry>()
  /** Created lazily; read-only access never needs it. */
  #byKey: Map<string, Map<string, Entry>> | undefined
  /** Files written by commits that are in the journal; some may not have been flushed. */
  readonly #unflushed = new Set<string>()

  constructor(generation?: number) {
    this.generation = generation
  }

  /**
   * The index as of the beginning of the journal. A missing or unreadable one is empty: everything can be found again.
   */
  static read(folder: Folder): FileIndex {
    const file = folder.read(INDEX)
    if (file.kind !== 'file' || file.text === undefined) return new FileIndex()
    try {
      const { index, generation, records } = JSON.parse(file.text)
      if (index !== 1) return new FileIndex()
      const result = new FileIndex(generation)
      for (const [collection, key, path, hash, revision, edited] of records) {
        result.#add({ collection, key, path, hash, revision, edited })
      }
      return result
    } catch {
      return new FileIndex()
    }
  }

  get size(): number {
    return this.#byPath.size
  }

  at(path: string): Entry | undefined {
    return this.#byPath.get(path)
  }

  get(collection: string, key: string): Entry | undefined {
    return this.#keys().get(collection)?.get(key)
  }

  entries(): Iterable<Entry> {
    return this.#byPath.values()
  }

  paths(): Iterable<string> {
    return this.#byPath.keys()
  }

  set(entry: Entry): void {
    const old = this.get(entry.collection, entry.key)
    if (old) this.delete(old)
    this.#add(entry)
  }

  delete(entry: Entry): void {
    if (this.#byPath.get(entry.path)?.key === entry.key) this.#byPath.delete(entry.path)
    this.#byKey?.get(entry.collection)?.delete(entry.key)
  }

  apply(change: Change): void {
    const { collection, key, path, hash, revision, edited = false } = change
    const old = this.get(collection, key)
    if (old) this.delete(old)
    if (hash !== null && revision !== undefined) this.#add({ collection, key, path, hash, revision, edited })
    if (!edited) this.#unflushed.add(path)
  }

  #add(entry: Entry): void {
    this.#byPath.set(entry.path, entry)
    if (this.#byKey) addByKey(this.#byKey, entry)
  }

  #keys(): Map<string, Map<string, Entry>> {
    if (!this.#byKey) {
      this.#byKey = new Map()
      for (const entry of this.entries()) addByKey(this.#byKey, entry)
    }
    return this.#byKey
  }

  /** Flushes every file that the journal would have to restore after a power cut, then writes the index itself. */
  async save(folder: Folder, generation: number): Promise<void> {
    const paths = [...this.#unflushed]
    const folders = [...new Set(paths.map((path) => dirname(path)))]
    const all = [...paths, ...folders]
    for (let start = 0; start < all.length; start += FLUSHED_AT_ONCE) {
      await Promise.all(all.slice(start, start + FLUSHED_AT_ONCE).map((path) => flush(folder.absolute(path))))
    }
    const lines: string[] = []
    for (const { collection, key, path, hash, revision, edited } of this.entries()) {
      lines.push(JSON.stringify([collection, key, path, hash, revision, edited]))
    }
    folder.write(INDEX, `{"index":1,"generation":${generation},"records":[\n${lines.join(',\n')}\n]}\n`, {
      durable: true,
    })
    this.#unflushed.clear()
  }
}

function addByKey(byKey: Map<string, Map<string, Entry>>, entry: Entry): void {
  getOrInsert(byKey, entry.collection, () => new Map()).set(entry.key, entry)
}

/** Flushes the file at a path. Files that were removed, replaced by a link or cannot be flushed are skipped. */
function flush(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0), (openError, file) => {
      if (openError) {
        if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'].includes(openError.code ?? '')) resolve()
        else reject(openError)
        return
      }
      fsync(file, (error) => {
        closeSync(file)
        // Windows does not flush files opened for reading; there each file is flushed when it is written.
        if (error && process.platform !== 'win32') reject(error)
        else resolve()
      })
    })
  })
}
