import type { DiffLine, DiffResult } from './diff-result.js'
import { editRuns } from './edit-regions.js'

/**
 * The change from a removed line to an added one. Joining the parts that are not `add` gives the old line; those that
 * are not `remove`, the new one.
 */
export interface WordChange {
  /** Index of the removed line in `contentDiff`. */
  readonly removed: number
  /** Index of the added line in `contentDiff`. */
  readonly added: number
  readonly parts: readonly DiffLine[]
}

const TOKENS = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu
const WORD = /[\p{L}\p{N}]/u
/** Sum of the products of both lengths in tokens after which no further lines are compared. */
const TOTAL_BUDGET = 100_000_000

/**
 * Word-level detail of lines that were changed rather than added or removed: within a run of removals and the additions
 * after it, the first is paired with the first and so on. Pairs without a common word are left out, as are pairs of
 * very long lines.
 */
export function diffWords(result: Pick<DiffResult, 'contentDiff'>): WordChange[] {
  const changes: WordChange[] = []
  let budget = TOTAL_BUDGET
  for (const [removed, added] of pairs(result.contentDiff)) {
    const before = tokens(result.contentDiff[removed])
    const after = tokens(result.contentDiff[added])
    const cost = before.length * after.length
    if (cost > budget) continue
    budget -= cost
    const parts = compare(before, after)
    if (parts.some((part) => part.type === 'context' && WORD.test(part.text))) changes.push({ removed, added, parts })
  }
  return changes
}

function* pairs(lines: readonly DiffLine[]): Generator<[number, number]> {
  for (let start = 0; start < lines.length; ) {
    let added = start
    while (lines[added]?.type === 'remove') added++
    let end = added
    while (lines[end]?.type === 'add') end++
    for (let offset = 0; offset < Math.min(added - start, end - added); offset++) yield [start + offset, added + offset]
    start = Math.max(end, start + 1)
  }
}

/** Longer lines have many thousands of words. */
const LONGEST_LINE = 1_000_000

function tokens(line: DiffLine | undefined): string[] {
  if (line === undefined || line.text.length > LONGEST_LINE) return []
  return line.text.match(TOKENS) ?? []
}

function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  const runs = [...editRuns(before, after)].filter(([, words]) => words.length > 0)
  return runs.map(([type, words]) => ({ type, text: words.join('') }))
}
