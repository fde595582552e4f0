/** Inclusive ranges of code points, sorted and without overlap. */
export type CharSet = readonly (readonly [number, number])[]

/** What a regular expression says, reduced to what matters for how often it can match. Anchors match nothing. */
export type RegexNode =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly body: RegexNode; readonly min: number; readonly max: number }

const MAX_CODE_POINT = 0x10ffff
const EMPTY: RegexNode = { kind: 'sequence', parts: [] }

const DIGIT: CharSet = [[48, 57]]
const WORD: CharSet = normalize([[48, 57], [65, 90], [95, 95], [97, 122]]) // biome-ignore format: one line reads best
const SPACE: CharSet = normalize([[9, 13], [32, 32], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff]]) // biome-ignore format: a table
const NEWLINES: CharSet = normalize([[10, 10], [13, 13], [0x2028, 0x2029]]) // biome-ignore format: one line reads best
/** Stands for every `\p{…}`: close enough for letters and digits, which is what such classes are used for. */
const PROPERTY: CharSet = normalize([[48, 57], [65, 90], [97, 122], [0x80, MAX_CODE_POINT]]) // biome-ignore format: one line reads best

const SHORTHANDS: Readonly<Record<string, CharSet>> = {
  d: DIGIT,
  D: complement(DIGIT),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 }

/** Parses a pattern that `new RegExp(pattern, 'u')` accepts. Look-around and back-references give `undefined`. */
export function parseRegex(pattern: string): RegexNode | undefined {
  const parser = new Parser(pattern)
  const node = parser.choice()
  return parser.unsupported ? undefined : node
}

class Parser {
  readonly #text: readonly string[]
  #at = 0
  unsupported = false

  constructor(pattern: string) {
    this.#text = Array.from(pattern)
  }

  choice(): RegexNode {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? (parts[0] as RegexNode) : { kind: 'choice', parts }
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = []
    while (this.#at < this.#text.length && this.#peek() !== '|' && this.#peek() !== ')') {
      parts.push(this.#quantified(this.#atom()))
    }
    return { kind: 'sequence', parts }
  }

  #quantified(body: RegexNode): RegexNode {
    const bounds = this.#quantifier()
    if (bounds === undefined) return body
    this.#take('?')
    return { kind: 'repeat', body, min: bounds[0], max: bounds[1] }
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    if (!this.#take('{')) return undefined
    const [low = '', high] = this.#until('}').split(',')
    if (high === undefined) return [Number(low), Number(low)]
    return [Number(low), high === '' ? Number.POSITIVE_INFINITY : Number(high)]
  }

  #atom(): RegexNode {
    const char = this.#next()
    switch (char) {
      case '^':
      case '$':
        return EMPTY
      case '.':
        return { kind: 'set', set: complement(NEWLINES) }
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#charClass() }
      case '\\':
        return this.#escape()
      default:
        return literal(char)
    }
  }

  #group(): RegexNode {
    if (this.#take('?')) {
      if (this.#take('<')) {
        if (this.#peek() === '=' || this.#peek() === '!') this.unsupported = true
        else this.#until('>')
      } else if (!this.#take(':')) {
        this.unsupported = true
      }
    }
    const body = this.choice()
    this.#take(')')
    return body
  }

  #escape(): RegexNode {
    const char = this.#peek()
    if (char === 'b' || char === 'B') {
      this.#at++
      return EMPTY
    }
    if (char === 'k' || (char >= '1' && char <= '9')) this.unsupported = true
    return { kind: 'set', set: this.#escapedSet() }
  }

  #charClass(): CharSet {
    const negated = this.#take('^')
    const ranges: [number, number][] = []
    while (this.#at < this.#text.length && !this.#take(']')) {
      const low = this.#classAtom()
      const single = low.length === 1 && low[0]?.[0] === low[0]?.[1]
      if (single && this.#peek() === '-' && this.#text[this.#at + 1] !== ']') {
        this.#at++
        const high = this.#classAtom()
        ranges.push([low[0]?.[0] ?? 0, high.at(-1)?.[1] ?? 0])
      } else {
        for (const [from, to] of low) ranges.push([from, to])
      }
    }
    const set = normalize(ranges)
    return negated ? complement(set) : set
  }

  #classAtom(): CharSet {
    if (!this.#take('\\')) return point(this.#next())
    if (this.#take('b')) return [[8, 8]]
    return this.#escapedSet()
  }

  #escapedSet(): CharSet {
    const char = this.#next()
    if (Object.hasOwn(SHORTHANDS, char)) return SHORTHANDS[char] as CharSet
    if (Object.hasOwn(CONTROLS, char)) return [[CONTROLS[char] as number, CONTROLS[char] as number]]
    if (char === 'p' || char === 'P') {
      this.#take('{')
      this.#until('}')
      return char === 'p' ? PROPERTY : [[0, MAX_CODE_POINT]]
    }
    if (char === 'c') return code((this.#next().codePointAt(0) ?? 0) % 32)
    if (char === 'x') return code(Number.parseInt(this.#next() + this.#next(), 16))
    if (char !== 'u') return point(char)
    if (this.#take('{')) return code(Number.parseInt(this.#until('}'), 16))
    return code(Number.parseInt(this.#next() + this.#next() + this.#next() + this.#next(), 16))
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #next(): string {
    return this.#text[this.#at++] ?? ''
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }

  #until(end: string): string {
    let text = ''
    while (this.#at < this.#text.length && !this.#take(end)) text += this.#next()
    return text
  }
}

export function intersect(a: CharSet, b: CharSet): boolean {
  return a.some(([low, high]) => b.some(([from, to]) => low <= to && from <= high))
}

function literal(char: string): RegexNode {
  return { kind: 'set', set: point(char) }
}

function point(char: string): CharSet {
  return code(char.codePointAt(0) ?? 0)
}

function code(value: number): CharSet {
  return [[value, value]]
}

function normalize(ranges: readonly (readonly [number, number])[]): CharSet {
  const merged: [number, number][] = []
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else merged.push([low, high])
  }
  return merged
}

function complement(set: CharSet): CharSet {
  const gaps: [number, number][] = []
  let from = 0
  for (const [low, high] of set) {
    if (low > from) gaps.push([from, low - 1])
    from = high + 1
  }
  if (from <= MAX_CODE_POINT) gaps.push([from, MAX_CODE_POINT])
  return gaps
}
