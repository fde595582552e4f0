import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, statSync } from 'node:fs'
import type { ChangeRow, ChangeRows, Retention } from '@minions/core/storage'
import { isSystemError, systemCode } from '@minions/files'
import { openFile, read, writeAll } from '../files/bytes.js'
import { type Folder, STATE_FOLDER } from '../files/folder.js'
import type { Journal } from '../journal/journal.js'
import type { JournalRecord } from '../journal/record.js'
import {
  encodeHeader,
  encodeLine,
  encodeLines,
  type FeedHeader,
  hasChanges,
  type LineHead,
  parseHeader,
  rowsOf,
} from './line.js'
import { LineFile } from './line-file.js'

const FEED = `${STATE_FOLDER}/changes`
const LONGEST_HEADER = 256

/** An open feed and the position up to which it has been read. */
interface OpenFeed {
  readonly file: number
  readonly inode: number
  readonly header: FeedHeader
  readonly lines: LineFile
  /** The head of the last line; that of the header if there are no lines. */
  readonly last: LineHead
  readonly size: number
}

/**
 * The change feed of a store: one line for each commit, in a file that only grows. It follows the journal, which keeps
 * every commit until the feed is flushed: changes that a crashed process, a full disk or a power cut kept from being
 * written here are written by the next process that takes the lock. Only the holder of the lock writes.
 */
export class FeedFile implements ChangeRows {
  readonly #folder: Folder
  readonly #retention: Retention
  #open: OpenFeed | undefined
  /** The last commit known to have changes. */
  #expected = 0

  constructor(folder: Folder, retention: Retention) {
    this.#folder = folder
    this.#retention = retention
  }

  get base(): number {
    return this.#open?.header.base ?? 0
  }

  /** True if there are commits that are not in the feed yet. */
  get isBehind(): boolean {
    return this.#generation < this.#expected
  }

  newest(): ChangeRow | undefined {
    let newest: ChangeRow | undefined
    for (const row of this.from(this.#open?.last.number ?? 0)) newest = row
    return newest
  }

  *from(number: number): Generator<ChangeRow> {
    const lines = this.#open?.lines
    if (!lines) return
    for (const line of lines.lines(lines.find((head) => head === undefined || head.number >= number))) {
      for (const row of rowsOf(line)) if (row.number >= number) yield row
    }
  }

  /** Records commits that were read from the journal. */
  expect(records: readonly JournalRecord[]): void {
    const last = records.findLast(hasChanges)
    if (last) this.#expected = Math.max(this.#expected, last.generation)
  }

  /** Reads what others have written since. */
  refresh(): void {
    const stats = statSync(this.#folder.absolute(FEED), { throwIfNoEntry: false })
    const known = this.#open
    if (stats === undefined) this.close()
    else if (stats.ino !== known?.inode || stats.size < known.size) this.#reopen()
    else if (stats.size > known.lines.end) this.#open = extended(known, stats.size)
  }

  /**
   * Ensures that the feed has every commit of the journal when the store is read. A feed that does not connect to the
   * journal starts over: the changes in between are unknown.
   */
  recover(journal: Journal): void {
    this.refresh()
    if (journal.isFromEarlierBoot) this.#cutBehind(journal.base)
    const isContinued = this.#open && this.#generation >= journal.base && this.#generation <= journal.generation
    if (!isContinued) this.#begin(journal.generation)
    this.#expected = 0
    this.complete(journal)
  }

  /** Writes missing changes from the journal. */
  complete(journal: Journal): void {
    this.refresh()
    if (this.#generation >= journal.generation) return
    const records = journal.records()
    this.expect(records)
    this.#append(records)
  }

  /** Writes the changes of commits. If that fails, or earlier ones are missing, they are written later. */
  append(records: readonly JournalRecord[]): void {
    const { isBehind } = this
    this.expect(records)
    if (!isBehind) this.#append(records)
  }

  /** Ensures that all commits up to a generation, which must have been written, are in the feed durably. */
  flush(generation: number): void {
    // Others may have written since, and must not be overwritten.
    this.refresh()
    if (!this.#open) return
    const { last } = this.#open
    if (last.generation < generation) this.#write({ ...last, generation }, encodeLine({ ...last, generation }))
    fdatasyncSync(this.#open.file)
  }

  close(): void {
    if (this.#open) closeSync(this.#open.file)
    this.#open = undefined
  }

  get #generation(): number {
    return this.#open?.last.generation ?? 0
  }

  #append(records: readonly JournalRecord[]): void {
    if (!records.some(hasChanges)) return
    try {
      this.refresh()
      if (!this.#open) return
      const { number } = this.#open.last
      const missing = records.filter(({ generation }) => generation > this.#generation)
      const { text, last } = encodeLines(missing, this.#open.last)
      if (text === '') return
      this.#write(last, text)
      if (this.#retention.isDue(last.number - number, Date.now())) this.#remove(Date.now())
    } catch (error) {
      if (systemCode(error) === undefined) throw error
    }
  }

  #write(last: LineHead, text: string): void {
    const feed = this.#open as OpenFeed
    const { file, lines } = feed
    // A full disk or a killed process left half a line.
    if (feed.size > lines.end) ftruncateSync(file, lines.end)
    const bytes = Buffer.from(text)
    const size = lines.end + bytes.length
    try {
      writeAll(file, bytes, lines.end)
      this.#open = { ...feed, last, size, lines: new LineFile(file, lines.start, size) }
    } catch (error) {
      this.#reopen()
      throw error
    }
  }

  #begin(generation: number): void {
    const number = this.#open?.last.number ?? 0
    this.#folder.write(FEED, encodeHeader(number, generation), { durable: true })
    this.#reopen()
  }

  /**
   * Removes lines that were not flushed before the machine went down: the journal has them, and here they may be
   * damaged.
   */
  #cutBehind(generation: number): void {
    if (!this.#open) return
    const { file, lines } = this.#open
    const end = lines.find((head) => head === undefined || head.generation > generation)
    ftruncateSync(file, end)
    this.#reopen()
  }

  /** Removes old changes, once at least half of all can be removed, since the rest has to be rewritten. */
  #remove(now: number): void {
    const { file, header, lines, last } = this.#open as OpenFeed
    const { keepAtMost, keepFor } = this.#retention
    const isKept = ({ number, at }: LineHead) =>
      number >= last.number || (number > last.number - keepAtMost && at >= now - keepFor)
    const start = lines.find((head) => head === undefined || isKept(head))
    const before = lastHead(new LineFile(file, lines.start, start))
    if (!before || (before.number - header.base) * 2 < last.number - header.base) return
    const kept = read(file, start, lines.end)
    const text = Buffer.concat([Buffer.from(encodeHeader(before.number, before.generation)), kept])
    this.#folder.write(FEED, text, { durable: true })
    this.#reopen()
  }

  #reopen(): void {
    this.close()
    try {
      const file = openFile(this.#folder.absolute(FEED))
      this.#open = opened(file)
      if (!this.#open) closeSync(file)
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error
    }
  }
}

/** Undefined if this is not a feed. */
function opened(file: number): OpenFeed | undefined {
  const { size, ino } = fstatSync(file)
  const start = read(file, 0, Math.min(size, LONGEST_HEADER))
  const newline = start.indexOf('\n')
  const header = parseHeader(start.toString('utf8', 0, Math.max(0, newline)))
  if (!header) return undefined
  const lines = new LineFile(file, newline + 1, newline + 1)
  const last = { generation: header.generation, number: header.base, at: 0 }
  return extended({ file, inode: ino, header, lines, last, size: newline + 1 }, size)
}

/** The same feed with its complete lines up to a size. */
function extended(feed: OpenFeed, size: number): OpenFeed {
  const { file, lines } = feed
  for (let all = new LineFile(file, lines.end, size); ; ) {
    const found = all.last()
    if (!found) return { ...feed, size }
    const last = all.headAt(found.start)
    if (last) return { ...feed, size, last, lines: new LineFile(file, lines.start, found.end) }
    all = new LineFile(file, lines.end, found.start)
  }
}

function lastHead(lines: LineFile): LineHead | undefined {
  const found = lines.last()
  return found && lines.headAt(found.start)
}
