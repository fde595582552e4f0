import { type FSWatcher, readFileSync, watch } from 'node:fs'
import type { FileIndex } from '../store/file-index.js'
import type { ChangeSource, Watched } from './change-source.js'
import { Scanner } from './scanner.js'

const ROOT = ''

/**
 * Finds changes through file system notifications, at a cost that does not depend on the number of files. The system
 * queues a notification at the moment of the change, so once the event loop has polled, none is outstanding. Where
 * folders cannot be watched, or no longer, it scans.
 */
export class Watcher implements ChangeSource {
  readonly #watched: Watched
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #noticed = new Set<string>()
  /** Number of outstanding notifications for files that we replaced or removed ourselves. */
  readonly #expected = new Map<string, number>()
  #burst = 0
  #missedSome = false
  #instead: Scanner | undefined

  constructor(watched: Watched) {
    this.#watched = watched
  }

  all(): string[] {
    if (this.#instead) return this.#instead.all()
    this.#watched.folder.foldersChanged()
    this.#noticed.clear()
    this.#expected.clear()
    this.#missedSome = false
    this.#watch(ROOT)
    const files = this.#watched.collectionFolders().flatMap((path) => this.#walk(path))
    // Watching may have turned out to be impossible in the meantime.
    return this.#fallback()?.all() ?? files
  }

  async changed(index: FileIndex): Promise<readonly string[]> {
    if (this.#instead) return this.#instead.changed(index)
    await eventsDelivered()
    if (this.#missedSome || this.#instead) return [...new Set([...this.all(), ...index.paths()])]
    if (this.#noticed.size === 0) return []
    const noticed = [...this.#noticed]
    this.#noticed.clear()
    return [...new Set(noticed.flatMap((path) => this.#filesOf(path, index)))]
  }

  mayHaveChanged(): boolean {
    return this.#instead?.mayHaveChanged() ?? (this.#missedSome || this.#noticed.size > 0)
  }

  expect(path: string): void {
    if (this.#watchers.has(parentOf(path))) this.#expected.set(path, (this.#expected.get(path) ?? 0) + 1)
  }

  /** Watched at once, so that its files need not be searched and compared when its notification arrives. */
  created(folder: string): void {
    if (!this.#watchers.has(parentOf(folder)) || this.#watchers.has(folder)) return
    this.expect(folder)
    for (const path of this.#walk(folder)) this.#noticed.add(path)
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
    this.#instead = undefined
  }

  #fallback(): Scanner | undefined {
    return this.#instead
  }

  /** An affected path may be a file, or a folder that appeared, disappeared, or was replaced. */
  #filesOf(path: string, index: FileIndex): string[] {
    if (index.at(path)) return [path]
    const wasWatched = this.#watchers.has(path)
    if (!wasWatched && !this.#watched.folder.isFolder(path)) return this.#isOfCollection(path) ? [path] : []
    this.#watched.folder.foldersChanged()
    if (!this.#isOfCollection(path)) return []
    const before: string[] = []
    if (wasWatched) {
      for (const folder of this.#watchers.keys()) if (isIn(folder, path)) this.#unwatch(folder)
      for (const file of index.paths()) if (isIn(file, path)) before.push(file)
    }
    return [...before, ...(this.#watched.folder.isFolder(path) ? this.#walk(path) : [])]
  }

  #isOfCollection(path: string): boolean {
    return this.#watched.collectionFolders().includes(path.split('/', 1)[0] as string)
  }

  #walk(path: string): string[] {
    return this.#watched.folder.walk(path, (folder) => this.#watch(folder))
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder) || this.#instead) return
    try {
      const absolute = this.#watched.folder.absolute(folder)
      const watcher = watch(absolute, { persistent: false }, (kind, name) => this.#notice(folder, kind, name))
      watcher.on('error', () => this.#unwatch(folder))
      this.#watchers.set(folder, watcher)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A missing folder needs no watching; its parent reports when it appears.
      if (code === 'ENOENT' || code === 'ENOTDIR') return
      this.close()
      this.#instead = new Scanner(this.#watched)
    }
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
    for (const path of this.#expected.keys()) if (isIn(path, folder)) this.#expected.delete(path)
  }

  #notice(folder: string, kind: string, name: string | null): void {
    if (this.#burst === 0) {
      setImmediate(() => {
        this.#burst = 0
      })
    }
    this.#burst += 1
    if (name === null || this.#burst >= queueLimit) {
      this.#missedSome = true
      return
    }
    if (name.startsWith('.')) return
    const path = folder === ROOT ? name : `${folder}/${name}`
    // Only replacing and removing is ours; writing into a file is not.
    if (kind !== 'rename' || !this.#isExpected(path)) this.#noticed.add(path)
  }

  #isExpected(path: string): boolean {
    const count = this.#expected.get(path)
    if (count === undefined) return false
    if (count > 1) this.#expected.set(path, count - 1)
    else this.#expected.delete(path)
    return true
  }
}

/** When the second one fires, the event loop has polled once completely. */
async function eventsDelivered(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** The system silently drops notifications when more than this are waiting. */
const queueLimit = readLimit()

function readLimit(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) * 0.9 || 4096
  } catch {
    return 4096
  }
}
