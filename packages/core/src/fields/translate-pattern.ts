import {
  type CodePointRanges,
  complement,
  DIGITS,
  LAST_CODE_POINT,
  LINE_ENDS,
  propertyRanges,
  WHITE_SPACE,
  WORD_CHARACTERS,
} from './code-points.js'

/** The reason why a pattern cannot be used; the message continues "The pattern …". */
export class PatternProblem extends Error {}

/** An expression, or a part of one, in RE2 syntax. */
interface Part {
  readonly text: string
  /** Approximate number of states: steps per character of the text that is matched. */
  readonly size: number
}

/** Limits the memory of the compiled automaton and its steps per character. */
const MAX_SIZE = 2000
/** The engine's own limit for a counted repetition. */
const MAX_REPETITION = 1000
/** Each new property requires a scan of Unicode. */
const MAX_PROPERTIES = 6

/** An escape or a single character. */
const TOKEN =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)|./gsu
const SET_ESCAPES: Readonly<Record<string, CodePointRanges>> = { d: DIGITS, w: WORD_CHARACTERS, s: WHITE_SPACE }
const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 }

/**
 * Rewrites an ECMAScript pattern, as read with the `u` flag, for RE2. The source must have been accepted by `new
 * RegExp(source, 'u')`: the reader relies on that and does not check the syntax. Throws `PatternProblem` for constructs
 * that a linear-time engine does not support.
 */
export function translatePattern(source: string): Part {
  return new PatternReader(source).disjunction()
}

class PatternReader {
  readonly #tokens: readonly string[]
  readonly #properties = new Set<string>()
  #index = 0

  constructor(source: string) {
    this.#tokens = source.match(TOKEN) ?? []
  }

  /** Reads alternatives up to the end of the source or of the group. */
  disjunction(): Part {
    let text = ''
    let size = 1
    while (this.#index < this.#tokens.length && this.#peek() !== ')') {
      if (this.#take('|')) {
        text += '|'
        size++
        continue
      }
      const term = this.#quantified(this.#atom())
      text += term.text
      size += term.size
      if (size > MAX_SIZE) throw new PatternProblem(`is too large: it expands to more than ${MAX_SIZE} states`)
    }
    return { text, size }
  }

  #atom(): Part {
    const token = this.#next()
    switch (token) {
      case '^':
        return { text: '\\A', size: 1 }
      case '$':
        return { text: '\\z', size: 1 }
      case '.':
        return { text: printClass(LINE_ENDS, true), size: 1 }
      case '(':
        return this.#group()
      case '[':
        return this.#characterClass()
      case '\\b':
      case '\\B':
        return { text: token, size: 1 }
    }
    if (/^\\[k1-9]/.test(token)) {
      throw new PatternProblem('uses a back-reference, which cannot be matched in linear time')
    }
    const meant = this.#meaningOf(token)
    return { text: typeof meant === 'number' ? printCodePoint(meant) : printClass(meant, false), size: 1 }
  }

  /** Captures are not needed, so every group becomes non-capturing. */
  #group(): Part {
    if (this.#take('?')) {
      const kind = this.#next()
      const named = kind === '<' && this.#peek() !== '=' && this.#peek() !== '!'
      if (named) while (this.#next() !== '>');
      else if (kind === '=' || kind === '!' || kind === '<') {
        throw new PatternProblem('uses look-around, which cannot be matched in linear time')
      } else if (kind !== ':') throw new PatternProblem('changes flags inside a group, which is not supported')
    }
    const { text, size } = this.disjunction()
    this.#next()
    return { text: `(?:${text})`, size }
  }

  #quantified(part: Part): Part {
    let quantifier = ''
    let copies = 1
    if (this.#peek() === '*' || this.#peek() === '+' || this.#peek() === '?') {
      quantifier = this.#next()
    } else if (this.#peek() === '{') {
      while (!quantifier.endsWith('}')) quantifier += this.#next()
      copies = Math.max(1, ...(quantifier.match(/\d+/g) ?? []).map(Number))
      if (copies > MAX_REPETITION) {
        throw new PatternProblem(`repeats more than ${MAX_REPETITION} times; use minLength and maxLength for lengths`)
      }
    } else {
      return part
    }
    this.#take('?')
    // Two quantifiers in a row would be read as one lazy or invalid one.
    return { text: `(?:${part.text})${quantifier}`, size: part.size * copies }
  }

  #characterClass(): Part {
    const negated = this.#take('^')
    const ranges: number[] = []
    while (!this.#take(']')) {
      const member = this.#classMember()
      if (typeof member !== 'number') {
        ranges.push(...member)
        continue
      }
      // A hyphen at the end of the class is literal.
      if (this.#peek() === '-' && this.#tokens[this.#index + 1] !== ']') {
        this.#next()
        ranges.push(member, this.#classMember() as number)
      } else {
        ranges.push(member, member)
      }
    }
    return { text: printClass(ranges, negated), size: 1 }
  }

  #classMember(): number | CodePointRanges {
    const token = this.#next()
    return token === '\\b' ? 0x08 : this.#meaningOf(token)
  }

  #meaningOf(token: string): number | CodePointRanges {
    const [first, letter = ''] = token
    if (first !== '\\') return codePointOf(token)
    if (letter === 'p' || letter === 'P') return this.#property(token)
    const set = SET_ESCAPES[letter.toLowerCase()]
    if (set !== undefined) return letter in SET_ESCAPES ? set : complement(set)
    if (token.startsWith('\\u{')) return Number.parseInt(token.slice(3, -1), 16)
    if (letter === 'u') return codePointOf(JSON.parse(`"${token}"`))
    if (letter === 'x') return Number.parseInt(token.slice(2), 16)
    return letter === 'c' ? codePointOf(token.slice(2)) % 32 : (CONTROL_ESCAPES[letter] ?? codePointOf(letter))
  }

  #property(property: string): CodePointRanges {
    if (this.#properties.add(property).size > MAX_PROPERTIES) {
      throw new PatternProblem(`names more than ${MAX_PROPERTIES} Unicode properties`)
    }
    return propertyRanges(property)
  }

  #peek(): string {
    return this.#tokens[this.#index] ?? ''
  }

  #next(): string {
    return this.#tokens[this.#index++] ?? ''
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#index++
    return true
  }
}

function codePointOf(character: string): number {
  return character.codePointAt(0) as number
}

function printCodePoint(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`
}

function printClass(ranges: CodePointRanges, negated: boolean): string {
  if (ranges.length === 0) return printClass([0, LAST_CODE_POINT], !negated)
  let members = ''
  for (let index = 0; index < ranges.length; index += 2) {
    members += `${printCodePoint(ranges[index] as number)}-${printCodePoint(ranges[index + 1] as number)}`
  }
  return `[${negated ? '^' : ''}${members}]`
}
