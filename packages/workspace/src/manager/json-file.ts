import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, readClock } from '@minions/core'
import { systemCode } from '../errors.js'
import { atomicWrite } from '../files/atomic-write.js'
import { makeDirectory } from '../files/make-directory.js'
import { setAside } from '../files/set-aside.js'
import { isObject } from '../json.js'
import type { WorkspaceProblem } from './problem.js'

/** What stands in the file: raw records by id, or the reason why they could not be read. */
export interface FileContent {
  readonly status: 'missing' | 'read' | 'damaged' | 'unreadable'
  readonly records: Record<string, unknown>
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
    const records = parseObject(bytes)
    if (records) return { status: 'read', records }
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

  async write(records: Readonly<Record<string, unknown>>): Promise<void> {
    const text = encode(records)
    await makeDirectory(dirname(this.path))
    await atomicWrite(this.path, text)
  }
}

/** JSON in the form the Python original writes: two spaces, everything beyond ASCII escaped. */
export function encode(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, 2).replaceAll(/[\u0080-\uffff]/g, escaped)
}

/** Tells two records apart without keeping either. */
export function fingerprint(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64')
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
