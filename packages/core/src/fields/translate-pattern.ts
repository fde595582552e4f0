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

export interface TranslatedPattern {
  /** The same expression in RE2 syntax. */
  readonly re2: string
  /** Approximate number of states of the expression: its steps per character of text. */
  readonly size: number
}

/** Limits the memory of the compiled automaton and its steps per character. */
const MAX_SIZE = 2000
/** The engine's own limit for a counted repetition. */
const MAX_REPETITION = 1000
/** Each new property requires a scan of Unicode. */
const MAX_PROPERTIES = 6

const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 }

/**
 * Rewrites an ECMAScript pattern, as read with the `u` flag, for RE2. The source must have been accepted by `new
 * RegExp(source, 'u')`: the reader relies on that and does not check the syntax. Throws `PatternProblem` for constructs
 * that a linear-time engine does not support.
 */
export function translatePattern(source: string): TranslatedPattern {
  const { text, size } = new PatternReader(source).disjunction()
  return { re2: text, size }
}

interface Part {
  readonly text: string
  readonly size: number
}

class PatternReader {
  readonly #characters: readonly string[]
  readonly #properties = new Set<string>()
  #index = 0

  constructor(source: string) {
    this.#characters = Array.from(source)
  }

  /** Reads alternatives up to the end of the source or of the group. */
  disjunction(): Part {
    let text = ''
    let size = 1
    while (this.#index < this.#characters.length && this.#peek() !== ')') {
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
    const character = this.#next()
    switch (character) {
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
      case '\\':
        return this.#escape()
      default:
        return { text: printCodePoint(character.codePointAt(0) as number), size: 1 }
    }
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

  #escape(): Part {
    const letter = this.#peek()
    if (letter === 'b' || letter === 'B') return { text: `\\${this.#next()}`, size: 1 }
    if (letter === 'k' || (letter >= '1' && letter <= '9')) {
      throw new PatternProblem('uses a back-reference, which cannot be matched in linear time')
    }
    const set = this.#setEscape()
    const text = set ? printClass(set, false) : printCodePoint(this.#codePointEscape())
    return { text, size: 1 }
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
      if (this.#peek() === '-' && this.#characters[this.#index + 1] !== ']') {
        this.#next()
        ranges.push(member, this.#classMember() as number)
      } else {
        ranges.push(member, member)
      }
    }
    return { text: printClass(ranges, negated), size: 1 }
  }

  #classMember(): number | CodePointRanges {
    const character = this.#next()
    if (character !== '\\') return character.codePointAt(0) as number
    if (this.#take('b')) return 0x08
    return this.#setEscape() ?? this.#codePointEscape()
  }

  /** Reads the rest of `\d`, `\p{…}` and the like; `undefined` when the escape stands for a single character. */
  #setEscape(): CodePointRanges | undefined {
    switch (this.#peek()) {
      case 'd':
        return this.#then(DIGITS)
      case 'D':
        return this.#then(complement(DIGITS))
      case 'w':
        return this.#then(WORD_CHARACTERS)
      case 'W':
        return this.#then(complement(WORD_CHARACTERS))
      case 's':
        return this.#then(WHITE_SPACE)
      case 'S':
        return this.#then(complement(WHITE_SPACE))
      case 'p':
      case 'P':
        return this.#property()
      default:
        return undefined
    }
  }

  #property(): CodePointRanges {
    let property = '\\'
    while (!property.endsWith('}')) property += this.#next()
    if (this.#properties.add(property).size > MAX_PROPERTIES) {
      throw new PatternProblem(`names more than ${MAX_PROPERTIES} Unicode properties`)
    }
    return propertyRanges(property)
  }

  #codePointEscape(): number {
    const letter = this.#next()
    const control = CONTROL_ESCAPES[letter]
    if (control !== undefined) return control
    if (letter === 'c') return (this.#next().codePointAt(0) as number) % 32
    if (letter === 'x') return this.#hex(2)
    if (letter === 'u') return this.#unicodeEscape()
    return letter.codePointAt(0) as number
  }

  #unicodeEscape(): number {
    if (this.#take('{')) {
      let digits = ''
      while (!this.#take('}')) digits += this.#next()
      return Number.parseInt(digits, 16)
    }
    const unit = this.#hex(4)
    const following = this.#characters.slice(this.#index, this.#index + 6).join('')
    if (unit >= 0xd800 && unit <= 0xdbff && /^\\u[dD][c-fC-F]/.test(following)) {
      this.#index += 2
      return (unit - 0xd800) * 0x400 + (this.#hex(4) - 0xdc00) + 0x10000
    }
    return unit
  }

  #hex(digits: number): number {
    const start = this.#index
    this.#index += digits
    return Number.parseInt(this.#characters.slice(start, this.#index).join(''), 16)
  }

  #peek(): string {
    return this.#characters[this.#index] ?? ''
  }

  #next(): string {
    return this.#characters[this.#index++] ?? ''
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#index++
    return true
  }

  #then<T>(value: T): T {
    this.#index++
    return value
  }
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
