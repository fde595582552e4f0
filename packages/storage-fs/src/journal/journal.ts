import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, statSync } from 'node:fs'
import { bootId } from '@minions/core/coordination'
import { isSystemError, systemCode } from '@minions/files'
import { corrupt } from '../errors.js'
import { openFile, read, writeAll } from '../files/bytes.js'
import { type Folder, STATE_FOLDER } from '../files/folder.js'
import {
  type Change,
  encodeApplied,
  encodeRecords,
  hasLaterRecord,
  type JournalHeader,
  type JournalRecord,
  NEWLINE,
  parseRecords,
} from './record.js'

export const JOURNAL = `${STATE_FOLDER}/journal`

/**
 * The file grows by zeros for several commits at once, which then overwrite them. Flushing a file that has grown also
 * writes its new size, which takes about as long again.
 */
const RESERVED_COMMITS = 8
const MIN_RESERVED = 32 * 1024
const MAX_RESERVED = 1024 * 1024

/** Receives the commits of this process, once they have happened. */
export type OnAppend = (records: readonly JournalRecord[]) => void

/** A commit without a number. */
export type NewRecord = Omit<JournalRecord, 'generation' | 'at'>

/** Another process has changed the store although we hold its lock. */
export class Fenced extends Error {
  /** The changed file, if any. */
  readonly path: string | undefined

  constructor(path?: string) {
    super('The store was changed under a transaction.')
    this.path = path
  }
}

/**
 * The journal of a store. A commit has happened when its record is in here, whole and flushed; the files follow.
 * Records are numbered: the number of the last one is the generation of the store. After it are zeros, or nothing.
 */
export class Journal {
  readonly #folder: Folder
  readonly #onAppend: OnAppend
  #file: number
  #inode: number
  #start: number
  #end: number
  #base: number
  #generation: number
  #boot: string | null
  #pending: readonly JournalRecord[] = []
  /** There was something other than a commit after the last commit when it was last read. */
  #isTorn = false

  private constructor(folder: Folder, file: number, onAppend: OnAppend) {
    this.#folder = folder
    this.#onAppend = onAppend
    this.#file = file
    this.#inode = fstatSync(file).ino
    const { header, end } = readHeader(folder, file)
    this.#base = header.base
    this.#boot = header.boot
    this.#generation = header.base
    this.#start = end
    this.#end = end
  }

  /** Opens the journal; undefined if there is none. */
  static open(folder: Folder, onAppend: OnAppend = () => {}): Journal | undefined {
    try {
      const file = openFile(folder.absolute(JOURNAL))
      try {
        return new Journal(folder, file, onAppend)
      } catch (error) {
        closeSync(file)
        throw error
      }
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return undefined
      throw error
    }
  }

  /** Begins a journal, replacing an existing one, for a store whose index has this generation. */
  static begin(folder: Folder, generation: number, onAppend: OnAppend = () => {}): Journal {
    const header: JournalHeader = { journal: 1, base: generation, boot: bootId() ?? null }
    folder.write(JOURNAL, `${JSON.stringify(header)}\n`, { durable: true })
    return Journal.open(folder, onAppend) as Journal
  }

  get generation(): number {
    return this.#generation
  }

  /** The generation at which the journal was begun. */
  get base(): number {
    return this.#base
  }

  /** All commits since the journal was begun, as far as they have been read. */
  records(): readonly JournalRecord[] {
    return parseRecords(read(this.#file, this.#start, this.#end), this.#base).records
  }

  /** Bytes written since the journal was begun. */
  get length(): number {
    return this.#end - this.#start
  }

  /** The last commits whose files are not known to be written. */
  get pending(): readonly JournalRecord[] {
    return this.#pending
  }

  /** The machine was rebooted since, so writes that were not flushed may be lost. */
  get isFromEarlierBoot(): boolean {
    return this.#boot !== null && this.#boot !== bootId()
  }

  /** True if there is anything to read; checks the file and two of its bytes. */
  hasNews(): boolean {
    return this.#check().hasNews
  }

  /** Commits since the last call; `lost` when they can no longer be determined and everything has to be reloaded. */
  read(): readonly JournalRecord[] | 'lost' {
    const stats = statSync(this.#folder.absolute(JOURNAL), { throwIfNoEntry: false })
    if (!stats) return 'lost'
    if (stats.ino === this.#inode) return this.#edge().isIntact ? this.#readRest() : 'lost'
    // Begun anew. The old one is still open here, and complete.
    const records = [...this.#readRest()]
    const next = Journal.open(this.#folder, this.#onAppend)
    if (!next || next.#base !== this.#generation) {
      next?.close()
      return 'lost'
    }
    records.push(...next.#readRest())
    this.#become(next)
    return records
  }

  /** Removes the incomplete end left by a process that died while writing. Only under the lock. */
  repair(): void {
    if (!this.#isTorn) return
    const rest = read(this.#file, this.#end, fstatSync(this.#file).size)
    if (hasLaterRecord(rest)) {
      throw corrupt(
        this.#folder.root,
        `a commit in the middle of ${JOURNAL} cannot be read. Restore a backup, or remove the journal: the record files ` +
          'are then used as they are.',
      )
    }
    ftruncateSync(this.#file, this.#end)
    this.#isTorn = false
  }

  /**
   * Commits: writes records and flushes them all at once. A crash may leave the first of them without the others. Throws
   * `Fenced` if another process wrote since we last read. Only under the lock.
   */
  append(records: readonly NewRecord[]): void {
    const { hasNews, size } = this.#check()
    if (hasNews) throw new Fenced()
    const at = Date.now()
    const numbered = records.map((record, index) => ({ generation: this.#generation + 1 + index, at, ...record }))
    const bytes = encodeRecords(numbered)
    try {
      // Space first: if the disk is full, a commit must not be written completely and then be undone.
      if (this.#end + bytes.length > size) writeAll(this.#file, reservedAfter(bytes.length), this.#end + bytes.length)
      writeAll(this.#file, bytes, this.#end)
      fdatasyncSync(this.#file)
    } catch (error) {
      this.#undo()
      throw error
    }
    this.#end += bytes.length
    this.#generation += numbered.length
    this.#pending = pendingOf(numbered)
    this.#onAppend(numbered)
  }

  /**
   * Informs others of manual changes, which are already in the files. A store that cannot be written, or is full,
   * adopts them anyway; others then find them themselves.
   */
  appendEdits(changes: readonly Change[]): void {
    if (changes.length === 0) return
    try {
      this.append([{ changes }])
    } catch (error) {
      if (systemCode(error) === undefined) throw error
    }
  }

  /** Records that the files of all commits are written. If that fails, they are written again, which is harmless. */
  markApplied(): void {
    this.#pending = []
    const bytes = encodeApplied(this.#generation)
    try {
      writeAll(this.#file, bytes, this.#end)
      this.#end += bytes.length
    } catch {
      this.#undo()
    }
  }

  /** Replaces the journal with an empty one. Its contents must be flushed to the files and the index first. */
  restart(): void {
    this.#become(Journal.begin(this.#folder, this.#generation, this.#onAppend))
  }

  close(): void {
    closeSync(this.#file)
  }

  #check(): { hasNews: boolean; size: number } {
    const stats = statSync(this.#folder.absolute(JOURNAL), { throwIfNoEntry: false })
    if (stats?.ino !== this.#inode) return { hasNews: true, size: 0 }
    const { isIntact, isLast } = this.#edge()
    return { hasNews: !isIntact || !isLast, size: stats.size }
  }

  /** True if what we have read is still there, and nothing follows it. */
  #edge(): { isIntact: boolean; isLast: boolean } {
    const [last = 0, next = 0] = read(this.#file, this.#end - 1, this.#end + 1)
    return { isIntact: last === NEWLINE, isLast: next === 0 }
  }

  #undo(): void {
    try {
      ftruncateSync(this.#file, this.#end)
      fdatasyncSync(this.#file)
    } catch {
      // Then it is an incomplete end, or another process died: `repair` handles it.
    }
  }

  #readRest(): readonly JournalRecord[] {
    const { size } = fstatSync(this.#file)
    if (size <= this.#end) return []
    const bytes = read(this.#file, this.#end, size)
    const { records, applied, end } = parseRecords(bytes, this.#generation)
    this.#isTorn = !isZero(bytes.subarray(end))
    this.#end += end
    this.#generation += records.length
    const earlier = applied === undefined ? this.#pending : []
    this.#pending = pendingOf([...earlier, ...records.filter(({ generation }) => generation > (applied ?? 0))])
    return records
  }

  #become(next: Journal): void {
    closeSync(this.#file)
    this.#file = next.#file
    this.#inode = next.#inode
    this.#start = next.#start
    this.#end = next.#end
    this.#base = next.#base
    this.#boot = next.#boot
    this.#pending = next.#pending
    this.#isTorn = next.#isTorn
    this.#generation = next.#generation
  }
}

/** The commits whose files are still to be written. Edits among them count: the last change to a file wins. */
function pendingOf(unapplied: readonly JournalRecord[]): readonly JournalRecord[] {
  const needsFiles = ({ changes, catalogue }: JournalRecord) => catalogue || changes.some((change) => !change.edited)
  return unapplied.some(needsFiles) ? unapplied : []
}

/** Zeros to follow a commit of so many bytes. */
function reservedAfter(length: number): Buffer {
  return Buffer.alloc(Math.min(Math.max(length * RESERVED_COMMITS, MIN_RESERVED), MAX_RESERVED))
}

function isZero(bytes: Buffer): boolean {
  return bytes.equals(Buffer.alloc(bytes.length))
}

function readHeader(folder: Folder, file: number): { header: JournalHeader; end: number } {
  const start = read(file, 0, Math.min(fstatSync(file).size, 1024))
  const newline = start.indexOf('\n')
  try {
    const header = JSON.parse(start.toString('utf8', 0, Math.max(newline, 0)))
    if (header.journal === 1 && Number.isSafeInteger(header.base)) return { header, end: newline + 1 }
  } catch {}
  throw corrupt(folder.root, `${JOURNAL} does not begin like a journal. Restore a backup, or remove it.`)
}
