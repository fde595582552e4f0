import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, readClock } from '@minions/core'
import { systemCode } from '../errors.js'
import { atomicWrite } from '../files/atomic-write.js'
import { makeDirectory } from '../files/make-directory.js'
import { setAside } from '../files/set-aside.js'
import { editMembers, encode } from '../json/edit.js'
import { readMembers } from '../json/exact.js'
import type { WorkspaceProblem } from './problem.js'

/** The content of the file: raw records by id, or the reason why they could not be read. */
export interface FileContent {
  readonly status: 'missing' | 'read' | 'damaged' | 'unreadable'
  /** Those with a value that JavaScript cannot hold are `Unread`. */
  readonly records: Record<string, unknown>
  /** The text of a file that could be read. */
  readonly text?: string
  readonly cause?: unknown
}

/** A JSON object in a file. Damage is kept beside the file and reported, never overwritten. */
export class JsonFile {
  readonly path: string
  readonly #clock: Clock | undefined
  readonly #report: (problem: WorkspaceProblem) => void

  constructor(path: string, report: (problem: WorkspaceProblem) => void, clock: Clock | undefined) {
    this.path = path
    this.#clock = clock
    this.#report = report
  }

  async read(): Promise<FileContent> {
    let bytes: Buffer
    try {
      bytes = await readFile(this.path)
    } catch (cause) {
      if (systemCode(cause) === 'ENOENT') return { status: 'missing', records: {} }
      this.#report({
        code: 'FILE_UNREADABLE',
        message: `${this.path} cannot be read (${systemCode(cause)}).`,
        path: this.path,
      })
      return { status: 'unreadable', records: {}, cause }
    }
    const content = contentOf(bytes)
    if (content) return { status: 'read', ...content }
    try {
      const keptAs = await this.keep(bytes)
      const message = `${this.path} holds no JSON object. It is kept as ${keptAs}.`
      this.#report({ code: 'FILE_UNREADABLE', message, path: this.path, keptAs })
      return { status: 'damaged', records: {} }
    } catch (cause) {
      // Without a copy it must not be written over.
      const message = `${this.path} holds no JSON object, and no copy of it could be made.`
      this.#report({ code: 'FILE_UNREADABLE', message, path: this.path })
      return { status: 'unreadable', records: {}, cause }
    }
  }

  /** Keeps bytes beside the file as `<name>.corrupt-<time>` and returns the path. */
  keep(bytes: Uint8Array): Promise<string> {
    return setAside(this.path, 'corrupt', bytes, readClock(this.#clock))
  }

  /** Puts `records` in the place of those that `before` holds; those that are the same stay as they were written. */
  async write(records: Readonly<Record<string, unknown>>, before: FileContent): Promise<void> {
    const text = before.text === undefined ? encode(records) : editMembers(before.text, before.records, records)
    await makeDirectory(dirname(this.path))
    await atomicWrite(this.path, text)
  }
}

/** Tells two records apart without keeping either. */
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
