import {
  type Collection,
  type Commit,
  isMinionsError,
  MinionsError,
  type Queue,
  type StorageProblem,
  type StorageTransaction,
} from '@minions/core'
import type { ChangeSource, Detection } from './changes/change-source.js'
import { Scanner } from './changes/scanner.js'
import { Watcher } from './changes/watcher.js'
import type { FileFormat } from './codec/codec.js'
import { isReadOnly, systemCode } from './errors.js'
import type { Folder } from './folder.js'
import { Fenced, type Journal } from './journal/journal.js'
import type { Change } from './journal/record.js'
import { load } from './load.js'
import { Lock } from './lock/lock.js'
import { type PreparedCommit, prepareCommit } from './prepare-commit.js'
import type { State } from './state.js'
import { declareAll, isUpToDate } from './upgrade.js'
import { restoreFiles, writeFiles } from './write-files.js'

export interface FileStoreOptions {
  readonly folder: Folder
  readonly format: FileFormat | undefined
  readonly busyTimeout: number
  readonly detect: Detection
  readonly queue: Queue
}

/** How often something is done again because files keep being edited under it. */
const MAX_RUNS = 10
/** Milliseconds for which reading and closing wait for those who write. */
const READ_TIMEOUT = 500
const CLOSE_TIMEOUT = 1000
/** A read that has looked so often for edits has seen all that were there when it began. */
const READ_ROUNDS = 2
/** The journal is cut back when it is longer than this and than what the index takes, roughly. */
const MAX_JOURNAL_BYTES = 4 * 1024 * 1024
const INDEX_BYTES_OF_RECORD = 200

/** An open store: the state in memory, and everything that keeps it and the files in step. */
export class FileStore {
  readonly #options: FileStoreOptions
  readonly #folder: Folder
  readonly #declared = new Map<string, Collection>()
  /** Files that may have been changed by hand and have not been looked at. */
  readonly #suspects = new Set<string>()
  readonly #source: ChangeSource
  readonly #lock: Lock
  #folders: readonly string[] = []
  #state: State | undefined
  #journal: Journal | undefined
  /** The journal no longer says how to get from here to the present. */
  #isLost = false
  /** Nothing could be written when the store was read, so something may be left to do. */
  #isReadOnly = false
  /** Transactions that run or wait. */
  #running = 0
  #takingIn: Promise<void> | undefined

  constructor(options: FileStoreOptions) {
    this.#options = options
    this.#folder = options.folder
    this.#lock = new Lock(options.folder)
    const watched = { folder: options.folder, collectionFolders: () => this.#folders }
    this.#source = options.detect === 'watch' ? new Watcher(watched) : new Scanner(watched)
  }

  get root(): string {
    return this.#folder.root
  }

  /** Makes sure that the store has these collections, and reads it if that has not been done yet. */
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
        this.#exclusive(() => this.#load(), { withoutLock: () => this.#load({ writable: false }) }),
      )
    } catch (error) {
      this.#declared.clear()
      for (const [name, collection] of before) this.#declared.set(name, collection)
      throw error
    }
  }

  /** What is in the store now, with everything that others committed or changed by hand. */
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

  async problems(): Promise<StorageProblem[]> {
    const { setAside } = await this.refresh()
    const moved = this.#folder.listSetAside().map((path) => ({
      code: 'STORAGE_CORRUPT',
      message: `${path} was in the way of a record and could not be used; take from it what you need and remove it.`,
      details: { path },
    }))
    return [...setAside.problems(), ...moved]
  }

  /** Runs work on the newest state, alone, and commits what it wrote. */
  async transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await this.#unfenced(() => this.#exclusive(() => this.#run(work)))
    } finally {
      this.#running -= 1
    }
  }

  async close(): Promise<void> {
    if (this.#journal && this.#journal.length > 0) {
      const compact = async () => {
        if (this.#catchUp()) await this.#compact()
      }
      // The journal does as well; only opening takes a little longer then.
      await this.#exclusive(compact, { timeout: CLOSE_TIMEOUT }).catch(() => {})
    }
    await this.#options.queue.run(async () => {
      this.#source.close()
      closeLock(this.#lock)
      this.#journal?.close()
      this.#journal = undefined
      this.#state = undefined
    })
  }

  /** Does something again as long as somebody changes the store under it. */
  async #unfenced<T>(work: () => Promise<T>): Promise<T> {
    for (let run = 0; run < MAX_RUNS; run++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Fenced)) throw error
        if (error.path !== undefined) this.#suspects.add(error.path)
      }
    }
    throw new MinionsError('STORAGE_BUSY', `Files of "${this.root}" are being changed all the time; try again.`)
  }

  async #run<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    await this.#enter()
    const { engine } = this.#opened()
    const transaction = engine.begin()
    const result = await work(transaction)
    engine.verify(transaction)
    const prepared = prepareCommit(this.#opened(), transaction.commit)
    if (prepared.changes.length > 0) await this.#commit(transaction.commit, prepared)
    return result
  }

  /** Once the journal has the commit, it has happened. If its files cannot be written now, they will be later. */
  async #commit(commit: Commit, prepared: PreparedCommit): Promise<void> {
    const { changes } = prepared
    const state = this.#opened()
    const journal = this.#journal as Journal
    if (!this.#lock.isHeld) throw new Fenced()
    journal.append({ changes })
    state.engine.apply(commit)
    state.note(changes)
    try {
      await writeFiles(this.#folder, prepared, this.#source)
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
    if (journal.pending) {
      const { changes } = journal.pending
      await restoreFiles(this.#folder, this.#opened().codec, changes)
      journal.markApplied()
      for (const { path } of changes) this.#suspects.add(path)
    }
    await this.#findSuspects()
    this.#adopt((changes) => journal.appendEdits(changes))
  }

  /**
   * Does the same for those who only read. If somebody is writing for long, they go on with what is known; if the store
   * cannot be written, they take edits in without telling others.
   */
  async #takeIn(): Promise<void> {
    const withoutLock = async () => {
      if (this.#isLost) await this.#load({ writable: false })
      else if (!this.#journal?.pending) this.#adopt(() => {})
    }
    const timeout = Math.min(READ_TIMEOUT, this.#options.busyTimeout)
    try {
      await this.#unfenced(() => this.#exclusive(() => this.#enter(), { withoutLock, timeout }))
    } catch (error) {
      const isBusy = isMinionsError(error) && error.code === 'STORAGE_BUSY'
      if (this.#isLost || (!isBusy && systemCode(error) === undefined)) throw error
      if (!isBusy) await withoutLock()
    }
  }

  async #load({ writable = true }: { writable?: boolean } = {}): Promise<void> {
    const source = (state: State) => {
      this.#folders = state.collectionFolders
      return this.#source
    }
    if (writable) this.#lock.bury()
    const { format } = this.#options
    const collections = [...this.#declared.values()]
    const { state, journal } = await load({ folder: this.#folder, format, collections, writable, source })
    this.#journal?.close()
    this.#journal = journal
    this.#state = state
    this.#isLost = false
    this.#isReadOnly = !writable
  }

  /** Applies what others committed. False if that cannot be done one by one, and everything has to be read again. */
  #catchUp(): boolean {
    const state = this.#opened()
    if (this.#isLost || !this.#journal?.hasNews()) return !this.#isLost
    const records = this.#journal.read()
    this.#isLost = records === 'lost'
    for (const { changes, catalogue } of records === 'lost' ? [] : records) {
      if (catalogue || this.#isLost) this.#isLost = true
      else state.replay(changes)
    }
    return !this.#isLost
  }

  async #findSuspects(): Promise<void> {
    for (const path of await this.#source.changed(this.#opened().index)) this.#suspects.add(path)
  }

  /** Whether there is anything to take in. A transaction of ours that is under way will do it itself. */
  #hasNews(): boolean {
    if (this.#running > 0) return false
    if (!this.#catchUp()) return true
    if (this.#suspects.size === 0 && this.#opened().retries().length === 0) return false
    const differing = [...this.#suspects].filter((path) => this.#opened().differs(path))
    // What was written after the first look is in the journal before it is in a file.
    if (differing.length > 0 && !this.#catchUp()) return true
    this.#suspects.clear()
    for (const path of differing) if (this.#opened().differs(path)) this.#suspects.add(path)
    return this.#suspects.size > 0 || this.#opened().retries().length > 0
  }

  /** Takes in what was changed by hand, and then what was set aside only because of that. */
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
    if (journal.pending) return
    await this.#opened().index.save(this.#folder, journal.generation)
    journal.restart()
  }

  #exclusive<T>(
    work: () => Promise<T>,
    { withoutLock, timeout = this.#options.busyTimeout }: { withoutLock?: () => Promise<T>; timeout?: number } = {},
  ): Promise<T> {
    return this.#options.queue.run(async () => {
      try {
        await this.#lock.acquire(timeout)
      } catch (error) {
        if (withoutLock && isReadOnly(error)) return withoutLock()
        throw error
      }
      try {
        return await work()
      } finally {
        this.#lock.release()
      }
    })
  }

  #opened(): State {
    if (!this.#state) throw new MinionsError('CLOSED', `The file store "${this.root}" is not open.`)
    return this.#state
  }
}

/** In a folder that cannot be written there is nothing to remove. */
function closeLock(lock: Lock): void {
  try {
    lock.close()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
