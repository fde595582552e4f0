import { setTimeout as sleep } from 'node:timers/promises'
import { coreError, isMinionsError, MinionsError } from '@minions/core'
import type { Mutex } from '@minions/core/coordination'
import type { Commit, MemoryTransaction } from '@minions/core/memory'
import {
  type ChangesRequest,
  ChangeWatchers,
  type Collection,
  type CollectionWrites,
  GroupCommit,
  type Retention,
  readChanges,
  type StorageChangePage,
  type StorageProblem,
  type StorageTransaction,
} from '@minions/core/storage'
import { systemCode } from '@minions/files'
import type { ChangeSource, Detection } from '../changes/change-source.js'
import { Scanner } from '../changes/scanner.js'
import { Watcher } from '../changes/watcher.js'
import type { FileFormat } from '../codec/codec.js'
import { FileGroup } from '../commit/file-group.js'
import type { PreparedCommits } from '../commit/prepare-commit.js'
import { restoreFiles, writeFiles } from '../commit/write-files.js'
import { FeedFile } from '../feed/feed-file.js'
import type { Folder } from '../files/folder.js'
import { Fenced, type Journal } from '../journal/journal.js'
import type { Change } from '../journal/record.js'
import { load } from './load.js'
import { WriteLock } from './lock.js'
import type { State } from './state.js'
import { declareAll, isUpToDate } from './upgrade.js'

export interface FileStoreOptions {
  readonly folder: Folder
  readonly format: FileFormat | undefined
  readonly busyTimeout: number
  readonly detect: Detection
  readonly mutex: Mutex
  readonly retention: Retention
}

/** Maximum number of retries because of concurrent edits. */
const MAX_RUNS = 10
/** Milliseconds for which reading and closing wait for writers. */
const READ_TIMEOUT = 500
const CLOSE_TIMEOUT = 1000
/** After this many checks for edits, a read has seen all that existed when it began. */
const READ_ROUNDS = 2
/** The journal is truncated when it is longer than this and, roughly, than the index. */
const MAX_JOURNAL_BYTES = 4 * 1024 * 1024
const INDEX_BYTES_OF_RECORD = 200
/** Milliseconds between two checks for commits of other processes, while someone follows the change feed. */
const POLL_EVERY = 50
/** Milliseconds a process has to finish a commit before it is considered dead, and between two checks. */
const COMMIT_TIME = 200
const COMMIT_POLL = 2

/** An open store: the state in memory, and everything that keeps it in sync with the files. */
export class FileStore {
  readonly #options: FileStoreOptions
  readonly #folder: Folder
  readonly #declared = new Map<string, Collection>()
  /** Files that may have been changed by hand and have not been examined. */
  readonly #suspects = new Set<string>()
  readonly #source: ChangeSource
  readonly #lock: WriteLock
  readonly #feed: FeedFile
  readonly #watchers: ChangeWatchers
  #folders: readonly string[] = []
  #state: State | undefined
  #journal: Journal | undefined
  /** The journal no longer leads from here to the current state. */
  #isLost = false
  /** The store could not be written when it was read, so work may remain. */
  #isReadOnly = false
  readonly #commits: GroupCommit<MemoryTransaction>
  #takingIn: Promise<void> | undefined
  /** The last commit whose files were not written yet, and when it was first seen. */
  #pending: { readonly generation: number | undefined; readonly since: number } = { generation: undefined, since: 0 }

  constructor(options: FileStoreOptions) {
    this.#options = options
    this.#folder = options.folder
    this.#lock = new WriteLock(options.folder, options.mutex, options.busyTimeout)
    this.#feed = new FeedFile(options.folder, options.retention)
    this.#watchers = new ChangeWatchers({ poll: () => this.#mayHaveChanges(), every: POLL_EVERY })
    const watched = { folder: options.folder, collectionFolders: () => this.#folders }
    this.#source = options.detect === 'watch' ? new Watcher(watched) : new Scanner(watched)
    this.#commits = new GroupCommit(
      new FileGroup({
        begin: () => this.#unfenced(() => this.#begin()),
        end: () => this.#lock.release(),
        state: () => this.#opened(),
        commit: (prepared, outcome) => this.#commit(prepared, outcome),
        fenced: (by) => this.#fenced(by),
      }),
    )
  }

  get root(): string {
    return this.#folder.root
  }

  /** Ensures that the store has these collections, and loads it if that has not been done yet. */
  async declare(collections: readonly Collection[]): Promise<void> {
    if (this.#state && isUpToDate(await this.refresh(), collections)) {
      for (const collection of collections) this.#declared.set(collection.name, collection)
      declareAll(this.#opened(), collections)
      return
    }
    const before = new Map(this.#declared)
    for (const collection of collections) this.#declared.set(collection.name, collection)
    try {
      await this.#unfenced(() =>
        this.#lock.run(() => this.#load(), { withoutLock: () => this.#load({ writable: false }) }),
      )
    } catch (error) {
      this.#declared.clear()
      for (const [name, collection] of before) this.#declared.set(name, collection)
      throw error
    }
  }

  /** The current contents of the store, including commits of others and manual changes. */
  async refresh(): Promise<State> {
    this.#catchUp()
    await this.#findSuspects()
    for (let round = 0; round < READ_ROUNDS && this.#hasNews(); round++) {
      this.#takingIn ??= this.#takeIn().finally(() => {
        this.#takingIn = undefined
      })
      await this.#takingIn
    }
    return this.#opened()
  }

  /** A page of the change feed, including commits of others and manual changes. */
  async changes(request: ChangesRequest): Promise<StorageChangePage> {
    await this.refresh()
    this.#feed.refresh()
    const deadline = performance.now() + COMMIT_TIME
    // Another process is between a commit and its changes, which follow, or died there. It has not acknowledged the
    // commit.
    while (this.#feed.isBehind && performance.now() < deadline) {
      const page = readChanges(this.#feed, request)
      if (page.changes.length > 0) return page
      await sleep(COMMIT_POLL)
      this.#feed.refresh()
    }
    if (this.#feed.isBehind) await this.#takeIn()
    this.#feed.refresh()
    return readChanges(this.#feed, request)
  }

  watchChanges(wake: () => void): () => void {
    return this.#watchers.add(wake)
  }

  async problems(): Promise<StorageProblem[]> {
    const { setAside } = await this.refresh()
    const moved = this.#folder.listSetAside().map((path) => ({
      code: 'STORAGE_CORRUPT',
      message: `${path} was in the way of a record and could not be used; copy what you need from it and remove it.`,
      details: { path },
    }))
    return [...setAside.problems(), ...moved]
  }

  /** Runs work on the latest state, exclusively, and commits its writes. */
  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#commits.run(work)
  }

  write(batch: readonly CollectionWrites[]): Promise<void> {
    return this.#commits.write((tx) => {
      for (const writes of batch) tx.write(writes)
    })
  }

  async close(): Promise<void> {
    await this.#commits.idle()
    if (this.#journal && this.#journal.length > 0) {
      const compact = async () => {
        if (this.#catchUp()) await this.#compact()
      }
      // The journal is sufficient; only opening takes a little longer then.
      await this.#lock.run(compact, { timeout: CLOSE_TIMEOUT }).catch(() => {})
    }
    await this.#lock.close(() => {
      this.#source.close()
      this.#watchers.close()
      this.#feed.close()
      this.#journal?.close()
      this.#journal = undefined
      this.#state = undefined
    })
  }

  /** Repeats work as long as another process changes the store concurrently. */
  async #unfenced<T>(work: () => Promise<T>): Promise<T> {
    let busy: Error | undefined
    for (let run = 0; run < MAX_RUNS; run++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Fenced)) throw error
        busy = this.#fenced(error)
      }
    }
    throw busy
  }

  #fenced({ path }: Fenced): Error {
    if (path !== undefined) this.#suspects.add(path)
    return new MinionsError('STORAGE_BUSY', `Files of "${this.root}" keep changing; try again.`)
  }

  /** Acquires write access, for a group of transactions. */
  async #begin(): Promise<void> {
    await this.#lock.acquire()
    try {
      await this.#enter()
    } catch (error) {
      this.#lock.release()
      throw error
    }
  }

  /**
   * Once the journal has the commits, they have happened. If their files cannot be written now, they are written later.
   */
  async #commit({ commits, files, textOf }: PreparedCommits, outcome: Commit): Promise<void> {
    const state = this.#opened()
    const journal = this.#journal as Journal
    if (!this.#lock.isHeld) throw new Fenced()
    journal.append(commits.filter((changes) => changes.length > 0).map((changes) => ({ changes })))
    state.engine.apply(outcome)
    for (const changes of commits) state.note(changes)
    this.#watchers.wake()
    try {
      await writeFiles(this.#folder, { files, textOf }, this.#source)
      journal.markApplied()
      if (journal.length > Math.max(MAX_JOURNAL_BYTES, state.index.size * INDEX_BYTES_OF_RECORD)) await this.#compact()
    } catch (error) {
      if (systemCode(error) === undefined && !isMinionsError(error)) throw error
    }
  }

  /** Brings everything up to date, under the lock. */
  async #enter(): Promise<void> {
    if (this.#isReadOnly || !this.#catchUp() || this.#opened().isOfAnotherCatalogue) return this.#load()
    const journal = this.#journal as Journal
    journal.repair()
    if (journal.pending.length > 0) {
      const changes = journal.pending.flatMap((record) => record.changes)
      await restoreFiles(this.#folder, this.#opened().codec, changes)
      journal.markApplied()
      for (const { path } of changes) this.#suspects.add(path)
    }
    if (this.#feed.isBehind) this.#feed.complete(journal)
    await this.#findSuspects()
    this.#adopt((changes) => journal.appendEdits(changes))
  }

  /**
   * The same for readers. If another process writes for long, they continue with the known state; if the store cannot
   * be written, they adopt edits without informing others.
   */
  async #takeIn(): Promise<void> {
    const withoutLock = async () => {
      if (this.#isLost) await this.#load({ writable: false })
      else if (!this.#journal?.pending.length) this.#adopt(() => {})
    }
    const timeout = Math.min(READ_TIMEOUT, this.#options.busyTimeout)
    try {
      await this.#unfenced(() => this.#lock.run(() => this.#enter(), { withoutLock, timeout }))
    } catch (error) {
      const isBusy = coreError.is(error, 'STORAGE_BUSY')
      if (this.#isLost || (!isBusy && systemCode(error) === undefined)) throw error
      if (!isBusy) await withoutLock()
    }
  }

  async #load({ writable = true }: { writable?: boolean } = {}): Promise<void> {
    const source = (state: State) => {
      this.#folders = state.collectionFolders
      return this.#source
    }
    if (writable) this.#lock.removeStale()
    const { format } = this.#options
    const collections = [...this.#declared.values()]
    const { state, journal } = await load({
      folder: this.#folder,
      format,
      collections,
      writable,
      source,
      feed: this.#feed,
    })
    this.#journal?.close()
    this.#journal = journal
    this.#state = state
    this.#isLost = false
    this.#isReadOnly = !writable
  }

  /** Applies commits of others. False if that cannot be done one by one, and everything has to be reloaded. */
  #catchUp(): boolean {
    const state = this.#opened()
    if (this.#isLost || !this.#journal?.hasNews()) return !this.#isLost
    const records = this.#journal.read()
    this.#isLost = records === 'lost'
    if (records !== 'lost') this.#feed.expect(records)
    for (const { changes, catalogue } of records === 'lost' ? [] : records) {
      if (catalogue || this.#isLost) this.#isLost = true
      else state.replay(changes)
    }
    return !this.#isLost
  }

  #mayHaveChanges(): boolean {
    if (!this.#journal) return false
    const isUnsure = this.#feed.isBehind || this.#suspects.size > 0
    return isUnsure || this.#journal.hasNews() || this.#source.mayHaveChanged()
  }

  async #findSuspects(): Promise<void> {
    for (const path of await this.#source.changed(this.#opened().index)) this.#suspects.add(path)
  }

  /** True if there is anything to adopt. A running transaction of ours will do it itself. */
  #hasNews(): boolean {
    if (this.#commits.isBusy) return false
    if (!this.#catchUp()) return true
    if (this.#suspects.size === 0 && this.#opened().retries().length === 0) return false
    const differing = [...this.#suspects].filter((path) => this.#opened().differs(path))
    // Anything written after the first check is in the journal before it is in a file.
    if (differing.length > 0 && !this.#catchUp()) return true
    this.#suspects.clear()
    for (const path of differing) if (this.#opened().differs(path)) this.#suspects.add(path)
    const unwritten = this.#unwritten()
    return [...this.#suspects].some((path) => !unwritten.has(path)) || this.#opened().retries().length > 0
  }

  /** Files that another process is about to write: those of the last commits, unless it has had time enough. */
  #unwritten(): ReadonlySet<string> {
    const pending = this.#journal?.pending ?? []
    const generation = pending.at(-1)?.generation
    const now = performance.now()
    if (generation !== this.#pending.generation) this.#pending = { generation, since: now }
    const isYoung = now - this.#pending.since < COMMIT_TIME
    return new Set(isYoung ? pending.flatMap(({ changes }) => changes.map(({ path }) => path)) : [])
  }

  /** Adopts manual changes, and then files that were set aside only because of them. */
  #adopt(tell: (changes: readonly Change[]) => void): void {
    const state = this.#opened()
    let paths = [...this.#suspects].filter((path) => state.differs(path))
    this.#suspects.clear()
    for (let round = 0; round < MAX_RUNS; round++) {
      paths = [...new Set([...paths, ...state.retries()])]
      if (paths.length === 0) return
      tell(state.adopt(paths))
      paths = []
    }
  }

  /** Empties the journal into the index. */
  async #compact(): Promise<void> {
    const journal = this.#journal as Journal
    if (journal.pending.length > 0) return
    if (this.#feed.isBehind) this.#feed.complete(journal)
    this.#feed.flush(journal.generation)
    await this.#opened().index.save(this.#folder, journal.generation)
    journal.restart()
  }

  #opened(): State {
    if (!this.#state) throw new MinionsError('CLOSED', `The file store "${this.root}" is not open.`)
    return this.#state
  }
}
