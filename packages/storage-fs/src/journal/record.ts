import { hash } from 'node:crypto'
import { MinionsError } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { RemovedColumns } from '@minions/core/storage'
import type { Catalogue } from '../store/catalogue.js'

/** The effect of a commit on one record. */
export interface Change {
  readonly collection: string
  readonly key: string
  readonly path: string
  /** Hash of the file before; null if it did not exist. */
  readonly was: string | null
  /** Hash of the file after; null if it does not exist. */
  readonly hash: string | null
  /** Absent when the record is removed. */
  readonly revision?: string
  readonly record?: JsonObject
  /** For a removed record: the columns kept by the change feed. */
  readonly removed?: { readonly revision: string; readonly columns?: RemovedColumns }
  /** It was done by hand, so the file is already in its final state. */
  readonly edited?: true
  /** There is something other than our record at the path, which is to be moved aside first. */
  readonly occupied?: true
}

export interface JournalRecord {
  readonly generation: number
  /** Time in milliseconds since 1970; absent in journals of earlier versions. */
  readonly at?: number
  readonly changes: readonly Change[]
  /** The catalogue, where the commit changed it. */
  readonly catalogue?: Catalogue
}

export interface JournalHeader {
  readonly journal: 1
  /** The generation of the index; the first record is the next one. */
  readonly base: number
  /** The boot of the machine in which this journal was begun; null where the system does not tell. */
  readonly boot: string | null
}

/** Commits found from a position, whether the last one is known to be in the files, and where it ends. */
export interface Parsed {
  readonly records: readonly JournalRecord[]
  readonly applied: number | undefined
  readonly end: number
}

/** The end of every record, note and header. */
export const NEWLINE = 0x0a

/** The bytes of commits, one after another. */
export function encodeRecords(records: readonly JournalRecord[]): Buffer {
  try {
    let text = ''
    for (const record of records) text += encodeRecord(record)
    return Buffer.from(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new MinionsError(
      'VALIDATION_FAILED',
      'A transaction on a file store may write at most half a gigabyte; use several.',
      { cause: error, details: { errors: [{ pointer: '', code: 'size', message: 'is too large' }] } },
    )
  }
}

function encodeRecord({ generation, at, changes, catalogue }: JournalRecord): string {
  let body = ''
  for (const change of changes) body += `${JSON.stringify(change)}\n`
  if (catalogue) body += `${JSON.stringify({ catalogue })}\n`
  const head = { generation, bytes: Buffer.byteLength(body), sha256: checksum(generation, body), at }
  return `${JSON.stringify(head)}\n${body}`
}

/** States that the files match this commit, and so all earlier ones. */
export function encodeApplied(generation: number): Buffer {
  return Buffer.from(`${JSON.stringify({ applied: generation })}\n`)
}

/** Reads the commits after a generation, up to the end or to the first incomplete one. */
export function parseRecords(buffer: Buffer, generation: number): Parsed {
  const records: JournalRecord[] = []
  let applied: number | undefined
  let end = 0
  for (;;) {
    const next = generation + records.length + 1
    const head = parseHead(buffer, end) ?? parseHead(buffer, behindNote(buffer, end, next))
    if (!head) return { records, applied, end }
    if ('applied' in head.value) applied = head.value.applied
    else {
      const record = parseBody(buffer, head.end, head.value)
      if (record?.generation !== next) return { records, applied, end }
      records.push(record)
      head.end += head.value.bytes
    }
    end = head.end
  }
}

/**
 * Start of the next commit if it is preceded by something unreadable: the note that files are written. It is flushed
 * only together with that commit, so a power cut may leave the commit without the note.
 */
function behindNote(buffer: Buffer, start: number, generation: number): number {
  const newline = buffer.indexOf(`\n{"generation":${generation},`, start)
  return newline < 0 ? buffer.length : newline + 1
}

/** True if there is a complete commit somewhere after an unreadable one: then not only the end is torn. */
export function hasLaterRecord(buffer: Buffer): boolean {
  for (let at = buffer.indexOf('\n{"generation":'); at >= 0; at = buffer.indexOf('\n{"generation":', at + 1)) {
    const head = parseHead(buffer, at + 1)
    if (head && 'bytes' in head.value && parseBody(buffer, head.end, head.value)) return true
  }
  return false
}

type Head = { applied: number } | { generation: number; bytes: number; sha256: string; at?: number }

function parseHead(buffer: Buffer, start: number): { value: Head; end: number } | undefined {
  const newline = buffer.indexOf(NEWLINE, start)
  if (newline < 0) return undefined
  try {
    const value = JSON.parse(buffer.toString('utf8', start, newline))
    const isHead = typeof value === 'object' && value !== null && ('applied' in value || 'bytes' in value)
    return isHead ? { value, end: newline + 1 } : undefined
  } catch {
    return undefined
  }
}

function parseBody(
  buffer: Buffer,
  start: number,
  { generation, bytes, sha256, at }: Exclude<Head, { applied: number }>,
): JournalRecord | undefined {
  const body = buffer.subarray(start, start + bytes)
  if (body.length !== bytes || checksum(generation, body) !== sha256) return undefined
  const changes: Change[] = []
  let catalogue: Catalogue | undefined
  for (let position = 0; position < body.length; ) {
    const newline = body.indexOf(NEWLINE, position)
    const line = JSON.parse(body.toString('utf8', position, newline))
    if ('catalogue' in line) catalogue = line.catalogue
    else changes.push(line)
    position = newline + 1
  }
  return { generation, ...(at !== undefined && { at }), changes, ...(catalogue && { catalogue }) }
}

/** Hash of the commit and its number, so that no record can be mistaken for another. */
function checksum(generation: number, body: Buffer | string): string {
  return `${generation}-${hash('sha256', body)}`
}
