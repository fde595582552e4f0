import { guarded } from './guard.js'
import { takeItems } from './take.js'

/** A guess further away than this is not a misspelling. */
const MOST_EDITS = 3

/**
 * The name most likely meant by a misspelt one: at most three edits away and sharing at least half of its characters,
 * ignoring case. The first of several equally near names; undefined when none is near enough.
 */
export const nearestName = guarded('nearestName', nearestNameUnchecked, { anyLength: true })

function nearestNameUnchecked(name: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let fewest = MOST_EDITS + 1
  for (const candidate of takeItems('The names', names)) {
    const longest = Math.max(name.length, candidate.length)
    // Also keeps hostile lengths out of the table below.
    if (Math.abs(name.length - candidate.length) >= fewest) continue
    const count = edits(name.toLowerCase(), candidate.toLowerCase())
    if (count >= fewest || count > longest / 2) continue
    nearest = candidate
    fewest = count
  }
  return nearest
}

/** Number of characters to insert, remove, replace or swap with the next to turn one string into another. */
function edits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let count = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1))
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (isSwapped) count = Math.min(count, at(beforeLast, column - 2) + 1)
      current.push(count)
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] as number
}
