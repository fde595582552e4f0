import { diff as myersDiff } from 'fast-myers-diff'
import type { DiffLine } from './diff-result.js'

/** `[from, to, otherFrom, otherTo]`: these elements of the first list are replaced with those of the second. */
type Region = readonly [number, number, number, number]

/** Number of element comparisons after which the shortest diff is abandoned; less than a second of work. */
const COMPARISON_BUDGET = 10_000_000
const SLICE = 1_000

/**
 * The regions in which two lists of strings differ, in order, never touching one another. The result is shortest, found
 * in linear space, unless both lists are long, share most elements and have them in a very different order: then they
 * are compared slice by slice, which is correct but may not be shortest.
 */
function editRegions(before: readonly string[], after: readonly string[]): Region[] {
  const [left, right] = shared(before, after)
  return restore(matches(left.ids, right.ids), left, right, before.length, after.length)
}

/** The elements of both lists in order, in runs of those to keep, to remove and to add; a run may be empty. */
export function* editRuns(
  before: readonly string[],
  after: readonly string[],
): Generator<readonly [type: DiffLine['type'], elements: readonly string[]]> {
  let position = 0
  for (const [fromA, toA, fromB, toB] of editRegions(before, after)) {
    yield ['context', before.slice(position, fromA)]
    yield ['remove', before.slice(fromA, toA)]
    yield ['add', after.slice(fromB, toB)]
    position = toA
  }
  yield ['context', before.slice(position)]
}

/** The elements of one list that the other also has, as numbers, and their positions. */
interface Shared {
  readonly ids: Int32Array
  readonly positions: Int32Array
}

/**
 * Elements that only one list has can never match. Leaving them out keeps the search small without changing the result.
 */
function shared(before: readonly string[], after: readonly string[]): [Shared, Shared] {
  const known = new Map<string, number>()
  for (const text of after) if (!known.has(text)) known.set(text, known.size)
  const used = new Uint8Array(known.size)
  const left = pick(before, (text) => {
    const id = known.get(text)
    if (id !== undefined) used[id] = 1
    return id
  })
  const right = pick(after, (text) => {
    const id = known.get(text) as number
    return used[id] === 1 ? id : undefined
  })
  return [left, right]
}

function pick(list: readonly string[], idOf: (text: string) => number | undefined): Shared {
  const ids = new Int32Array(list.length)
  const positions = new Int32Array(list.length)
  let length = 0
  for (let position = 0; position < list.length; position++) {
    const id = idOf(list[position] as string)
    if (id === undefined) continue
    ids[length] = id
    positions[length++] = position
  }
  return { ids: ids.subarray(0, length), positions: positions.subarray(0, length) }
}

class BudgetSpent extends Error {}

/** Flags for the elements of `a` that are kept, and the same for `b`; kept elements pair up in order. */
function matches(a: Int32Array, b: Int32Array): [Uint8Array, Uint8Array] {
  const kept: [Uint8Array, Uint8Array] = [new Uint8Array(a.length).fill(1), new Uint8Array(b.length).fill(1)]
  try {
    strike(kept, a, b, 0, 0, COMPARISON_BUDGET)
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    const slices = Math.ceil(Math.max(a.length, b.length) / SLICE)
    for (let slice = 0; slice < slices; slice++) {
      const [fromA, toA] = bounds(a.length, slice, slices)
      const [fromB, toB] = bounds(b.length, slice, slices)
      strike(kept, a.subarray(fromA, toA), b.subarray(fromB, toB), fromA, fromB, Number.POSITIVE_INFINITY)
    }
  }
  return kept
}

function bounds(length: number, slice: number, slices: number): [number, number] {
  return [Math.floor((length * slice) / slices), Math.floor((length * (slice + 1)) / slices)]
}

function strike(
  [keptA, keptB]: [Uint8Array, Uint8Array],
  a: Int32Array,
  b: Int32Array,
  offsetA: number,
  offsetB: number,
  budget: number,
): void {
  let remaining = budget
  const equal = (i: number, j: number): boolean => {
    if (--remaining < 0) throw new BudgetSpent()
    return a[i] === b[j]
  }
  const regions = [...myersDiff(a, b, equal)]
  for (const [fromA, toA, fromB, toB] of regions) {
    keptA.fill(0, offsetA + fromA, offsetA + toA)
    keptB.fill(0, offsetB + fromB, offsetB + toB)
  }
}

/** Walks both whole lists along the kept elements, so that adjacent changes form one region. */
function restore(
  [keptA, keptB]: [Uint8Array, Uint8Array],
  left: Shared,
  right: Shared,
  lengthA: number,
  lengthB: number,
): Region[] {
  const regions: Region[] = []
  let fromA = 0
  let fromB = 0
  let indexB = 0
  const close = (toA: number, toB: number): void => {
    if (toA > fromA || toB > fromB) regions.push([fromA, toA, fromB, toB])
    fromA = toA + 1
    fromB = toB + 1
  }
  for (let indexA = 0; indexA < keptA.length; indexA++) {
    if (keptA[indexA] === 0) continue
    while (keptB[indexB] === 0) indexB++
    close(left.positions[indexA] as number, right.positions[indexB++] as number)
  }
  close(lengthA, lengthB)
  return regions
}
