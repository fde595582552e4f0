/** A set of code points: first and last of each range, alternating, in ascending order. */
export type CodePointRanges = readonly number[]

export const LAST_CODE_POINT = 0x10ffff

export const DIGITS: CodePointRanges = [0x30, 0x39]
export const WORD_CHARACTERS: CodePointRanges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]
export const LINE_ENDS: CodePointRanges = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]
// biome-ignore format: pairs read best side by side
export const WHITE_SPACE: CodePointRanges = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029,
  0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
]

export function complement(ranges: CodePointRanges): CodePointRanges {
  const result: number[] = []
  let next = 0
  for (let index = 0; index < ranges.length; index += 2) {
    const first = ranges[index] as number
    if (first > next) result.push(next, first - 1)
    next = (ranges[index + 1] as number) + 1
  }
  if (next <= LAST_CODE_POINT) result.push(next, LAST_CODE_POINT)
  return result
}

const propertyCache = new Map<string, CodePointRanges>()
const PROPERTY_CACHE_SIZE = 64

/**
 * The code points that a property escape such as `\p{Lu}` stands for, determined with the host's own engine one by one,
 * because a separate Unicode table could be of another version. Takes tens of milliseconds the first time.
 */
export function propertyRanges(property: string): CodePointRanges {
  const known = propertyCache.get(property)
  if (known) return known
  const ranges = scan(new RegExp(property, 'u'))
  if (propertyCache.size >= PROPERTY_CACHE_SIZE) propertyCache.clear()
  propertyCache.set(property, ranges)
  return ranges
}

function scan(property: RegExp): CodePointRanges {
  const ranges: number[] = []
  let inside = false
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint++) {
    if (property.test(String.fromCodePoint(codePoint)) === inside) continue
    ranges.push(inside ? codePoint - 1 : codePoint)
    inside = !inside
  }
  if (inside) ranges.push(LAST_CODE_POINT)
  return ranges
}
