import { getOrInsert } from '@minions/core/json'
import type { ChangeEntry, ChangeRow } from '@minions/core/storage'
import type { JournalRecord } from '../journal/record.js'

/** The first line of the feed. */
export interface FeedHeader {
  readonly changes: 1
  /** Number of the last change before the feed begins. */
  readonly base: number
  /** The feed has the changes of all commits after this one. */
  readonly generation: number
}

/** The beginning of a commit's line. All three increase from line to line, except that clocks may be set back. */
export interface LineHead {
  readonly generation: number
  /** Number of its last change; a line without changes repeats that of the previous line. */
  readonly number: number
  /** Time of the commit, in milliseconds since 1970. */
  readonly at: number
}

type Part = readonly [collection: string, entries: readonly ChangeEntry[]]

/** For a removed record about which an earlier version wrote nothing. */
const UNKNOWN_REVISION = '-'

const HEAD = /^\{"generation":(\d{1,15}),"number":(\d{1,15}),"at":(\d{1,15})[,}]/

/** Maximum length of a head. */
export const HEAD_BYTES = 128

export function encodeHeader(base: number, generation: number): string {
  const header: FeedHeader = { changes: 1, base, generation }
  return `${JSON.stringify(header)}\n`
}

export function parseHeader(text: string): FeedHeader | undefined {
  try {
    const header = JSON.parse(text)
    const isHeader =
      header.changes === 1 && Number.isSafeInteger(header.base) && Number.isSafeInteger(header.generation)
    return isHeader ? header : undefined
  } catch {
    return undefined
  }
}

function partsOf({ changes }: JournalRecord): readonly Part[] {
  const parts = new Map<string, ChangeEntry[]>()
  for (const { collection, key, record, revision, removed } of changes) {
    const entries = getOrInsert(parts, collection, () => [])
    if (record && revision !== undefined) entries.push([key, revision])
    else entries.push([key, removed?.revision ?? UNKNOWN_REVISION, removed?.columns ?? {}])
  }
  return [...parts]
}

function countOf(parts: readonly Part[]): number {
  return parts.reduce((sum, [, entries]) => sum + entries.length, 0)
}

/**
 * A line, whose head can be read without the rest. Without parts it only states that the feed is complete up to here.
 */
export function encodeLine({ generation, number, at }: LineHead, parts?: readonly Part[]): string {
  return `${JSON.stringify({ generation, number, at, ...(parts && { parts }) })}\n`
}

/** True if a commit is to be reported. */
export function hasChanges({ changes }: JournalRecord): boolean {
  return changes.length > 0
}

/** One line for each commit with changes, after the line with this head. */
export function encodeLines(records: readonly JournalRecord[], before: LineHead): { text: string; last: LineHead } {
  let last = before
  let text = ''
  for (const record of records.filter(hasChanges)) {
    const parts = partsOf(record)
    const { generation, at = Date.now() } = record
    last = { generation, at, number: last.number + countOf(parts) }
    text += encodeLine(last, parts)
  }
  return { text, last }
}

/** The head at the beginning of a line; undefined if it is not one. */
export function parseHead(text: string): LineHead | undefined {
  const [, generation, number, at] = HEAD.exec(text) ?? []
  if (generation === undefined) return undefined
  return { generation: Number(generation), number: Number(number), at: Number(at) }
}

/** The changes of a line, by collection. */
export function rowsOf(line: string): ChangeRow[] {
  const { number, at, parts = [] }: LineHead & { parts?: readonly Part[] } = JSON.parse(line)
  let last = number - countOf(parts)
  return parts.map(([collection, entries]) => {
    last += entries.length
    return { number: last, collection, at, entries }
  })
}
