import { isRecord, type JsonValue, pointerTo } from '@minions/core/json'

/** The recorded request that resembles another most, and where the two differ first. */
export interface NearestRequest {
  /** Position in the file, from 1. */
  readonly number: number
  /** JSON Pointer of the first difference. */
  readonly pointer: string
  readonly recorded: string
  readonly asked: string
}

const SHOWN = 120

/** Finds the most similar request by the words that both have. */
export function nearestEntry(asked: JsonValue, recorded: readonly JsonValue[]): NearestRequest | undefined {
  const words = wordsOf(asked)
  let best: { readonly number: number; readonly request: JsonValue; readonly likeness: number } | undefined
  for (const [index, request] of recorded.entries()) {
    const likeness = similarity(words, wordsOf(request))
    if (best === undefined || likeness > best.likeness) best = { number: index + 1, request, likeness }
  }
  if (best === undefined) return undefined
  const difference = firstDifference(best.request, asked, '')
  return {
    number: best.number,
    pointer: difference?.pointer ?? '',
    ...around(difference?.left, difference?.right),
  }
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared / Math.max(1, a.size + b.size - shared)
}

function wordsOf(value: JsonValue): ReadonlySet<string> {
  return new Set(JSON.stringify(value).match(/[\p{L}\p{N}]+/gu) ?? [])
}

interface Difference {
  readonly pointer: string
  readonly left: unknown
  readonly right: unknown
}

function firstDifference(left: unknown, right: unknown, pointer: string): Difference | undefined {
  if (Object.is(left, right)) return undefined
  const bothLists = Array.isArray(left) && Array.isArray(right)
  if (!bothLists && (!isRecord(left) || !isRecord(right))) return { pointer, left, right }
  const [first, second] = [left as Record<string, unknown>, right as Record<string, unknown>]
  for (const key of new Set([...Object.keys(first), ...Object.keys(second)])) {
    const found = firstDifference(first[key], second[key], pointerTo(pointer, key))
    if (found) return found
  }
  return undefined
}

/** Both values from shortly before the point where they diverge. */
function around(left: unknown, right: unknown): Pick<NearestRequest, 'recorded' | 'asked'> {
  const [a, b] = [String(JSON.stringify(left)), String(JSON.stringify(right))]
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  start = Math.max(0, start - 30)
  const show = (text: string) => `${start > 0 ? '…' : ''}${text.slice(start, start + SHOWN).toWellFormed()}`
  return { recorded: show(a), asked: show(b) }
}
