import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '@minions/core'
import { readClock } from '@minions/core/plugin'
import { isSystemError, systemCode } from '@minions/files'
import { workspaceError } from '../errors.js'
import { withLock } from '../files/lock.js'
import { makeDirectory } from '../files/make-directory.js'
import { replace } from '../files/replace.js'
import { setAside } from '../files/set-aside.js'
import { editMembers, encode } from '../json/edit.js'
import { readMembers } from '../json/exact.js'
import type { WorkspaceProblem } from './problem.js'
import type { RecordStore } from './record-store.js'

/** The content of the file: raw records by id, or the reason why they could not be read. */
export interface FileContent {
  readonly status: 'missing' | 'read' | 'damaged' | 'unreadable'
  /** Those with a value that JavaScript cannot hold are `Unread`. */
  readonly records: Record<string, unknown>
  /** The text of a file that could be read. */
  readonly text?: string
  readonly cause?: unknown
}

export interface JsonFileOptions {
  readonly report: (problem: WorkspaceProblem) => void
  readonly clock?: Clock | undefined
  /** Inside a transaction files can be read, but writes could not be rolled back with it. */
  readonly readOnly?: boolean | undefined
}

/** A JSON object in a file. Damaged content is kept beside the file and reported, never overwritten. */
export class JsonFile implements RecordStore {
  readonly path: string
  readonly #options: JsonFileOptions

  constructor(path: string, options: JsonFileOptions) {
    this.path = path
    this.#options = options
  }

  get name(): string {
    return this.path
  }

  async read(): Promise<FileContent> {
    let bytes: Buffer
    try {
      bytes = await readFile(this.path)
    } catch (cause) {
      if (isSystemError(cause, 'ENOENT')) return { status: 'missing', records: {} }
      this.#report(`cannot be read (${systemCode(cause)})`)
      return { status: 'unreadable', records: {}, cause }
    }
    const content = contentOf(bytes)
    if (content) return { status: 'read', ...content }
    try {
      const keptAs = await this.keep(bytes)
      this.#report(`does not contain a JSON object. It is kept as ${keptAs}`, { keptAs })
      return { status: 'damaged', records: {} }
    } catch (cause) {
      // Without a copy it must not be overwritten.
      this.#report('does not contain a JSON object, and no copy of it could be made')
      return { status: 'unreadable', records: {}, cause }
    }
  }

  #report(what: string, kept: Pick<WorkspaceProblem, 'keptAs'> = {}): void {
    this.#options.report({ code: 'FILE_UNREADABLE', message: `${this.path} ${what}.`, path: this.path, ...kept })
  }

  /** Keeps bytes beside the file as `<name>.corrupt-<time>` and returns the path. */
  keep(bytes: Uint8Array): Promise<string> {
    return setAside(this.path, 'corrupt', bytes, readClock(this.#options.clock))
  }

  /** Replaces the records in `before`; unchanged ones are kept as written. */
  async write(records: Readonly<Record<string, unknown>>, before: FileContent): Promise<void> {
    if (this.#options.readOnly) {
      const message = `Workspaces in ${this.path} cannot take part in a transaction; save them outside, or keep them in the store.`
      throw workspaceError('CAPABILITY_MISSING', message)
    }
    const text = before.text === undefined ? encode(records) : editMembers(before.text, before.records, records)
    await makeDirectory(dirname(this.path))
    await replace(this.path, text)
  }

  /** Runs work while no other process writes the file. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    if (this.#options.readOnly) return work()
    await makeDirectory(dirname(this.path))
    return withLock(this.path, work)
  }
}

/** Distinguishes two records without keeping either. */
export function fingerprint(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64')
}

function contentOf(bytes: Buffer): { records: Record<string, unknown>; text: string } | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  try {
    const records = readMembers(text)
    return records && { records, text }
  } catch {
    return undefined
  }
}
