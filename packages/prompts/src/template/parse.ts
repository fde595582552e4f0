import { guarded } from '@minions/core/plugin'
import { parseFragment } from '../fragments/fragment-reference.js'
import type { EachNode, IfNode, Reference, TemplateNode } from './ast.js'
import { TemplateError } from './template-error.js'
import { NAME } from './variable-name.js'

/** Maximum nesting of blocks; deeper templates are refused, so that neither parsing nor rendering can overflow. */
export const MAX_TEMPLATE_DEPTH = 100

/** ASCII white space only, so that every language trims a tag the same way. */
const SPACE = ' \t\n\r\f\v'
const BLOCK = /^#([a-zA-Z]*)(?:[ \t\n\r\f\v]+([\s\S]*))?$/

interface OpenBlock {
  readonly kind: 'if' | 'each'
  readonly subject: Reference
  readonly offset: number
  readonly body: TemplateNode[]
  otherwise?: TemplateNode[]
}

/** Parses a template in one pass; throws `TemplateError` with the position of the first error. */
export const parseTemplate = guarded('parseTemplate', (source: string): readonly TemplateNode[] => {
  if (typeof source !== 'string') {
    throw new TemplateError(`a template must be a string, not ${source === null ? 'null' : typeof source}`, '', 0)
  }
  return new Parser(source).parse()
})

class Parser {
  readonly #source: string
  readonly #root: TemplateNode[] = []
  readonly #open: OpenBlock[] = []
  #nodes: TemplateNode[] = this.#root
  #text = ''
  /** Number of `#each` bodies around the current position, where `this` is valid. */
  #items = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): readonly TemplateNode[] {
    const source = this.#source
    let position = 0
    for (let start = source.indexOf('{{'); start !== -1; start = source.indexOf('{{', position)) {
      const backslashes = countBackslashes(source, position, start)
      this.#text += source.slice(position, start - Math.ceil(backslashes / 2))
      if (backslashes % 2 === 1) {
        this.#text += '{{'
        position = start + 2
        continue
      }
      const end = source.indexOf('}}', start + 2)
      if (end === -1) throw this.#error('this {{ is never closed; write }} after it, or \\{{ for a literal {{', start)
      position = end + 2
      this.#tag(trimmed(source, start + 2, end), start, position)
    }
    this.#text += source.slice(position)
    this.#flush()
    const unclosed = this.#open.at(-1)
    if (unclosed) {
      throw this.#error(`this {{#${unclosed.kind}}} block is never closed with {{/${unclosed.kind}}}`, unclosed.offset)
    }
    return this.#root
  }

  #tag(content: string, start: number, end: number): void {
    this.#flush()
    if (content === '') throw this.#error('the tag is empty; write a variable name between the braces', start)
    if (content === 'else') this.#else(start)
    else if (content[0] === '#') this.#openBlock(content, start)
    else if (content[0] === '/') this.#closeBlock(content, start)
    else if (content[0] === '>') this.#fragment(content, start)
    else {
      const reference = this.#reference(content, start)
      this.#nodes.push({ type: 'placeholder', reference, raw: this.#source.slice(start, end) })
    }
  }

  #fragment(content: string, start: number): void {
    const reference = parseFragment(content)
    if (!reference) {
      throw this.#error(
        `${quote(content)} does not name a prompt to include; write {{> name}}, {{> name@label}} or {{> name@3}}`,
        start,
      )
    }
    this.#nodes.push({ type: 'fragment', ...reference, offset: start })
  }

  #openBlock(content: string, start: number): void {
    const [, kind, subject] = BLOCK.exec(content) ?? []
    if (kind !== 'if' && kind !== 'each') {
      throw this.#error(`${quote(content)} is not a block; use {{#if name}} or {{#each name}}`, start)
    }
    if (subject === undefined) throw this.#error(`{{#${kind}}} needs the name of a variable`, start)
    if (this.#open.length === MAX_TEMPLATE_DEPTH) {
      throw this.#error(`blocks are nested deeper than ${MAX_TEMPLATE_DEPTH} levels`, start)
    }
    const block: OpenBlock = { kind, subject: this.#reference(subject, start), offset: start, body: [] }
    this.#open.push(block)
    this.#nodes = block.body
    if (kind === 'each') this.#items++
  }

  #else(start: number): void {
    const block = this.#open.at(-1)
    if (!block) throw this.#error('{{else}} is outside a block', start)
    if (block.otherwise) throw this.#error(`this {{#${block.kind}}} block already has an {{else}}`, start)
    block.otherwise = []
    this.#nodes = block.otherwise
    if (block.kind === 'each') this.#items--
  }

  #closeBlock(content: string, start: number): void {
    const block = this.#open.pop()
    if (!block) throw this.#error(`${quote(content)} closes a block that is not open`, start)
    if (content !== `/${block.kind}`) {
      throw this.#error(`${quote(content)} is found where {{/${block.kind}}} should close the inner block`, start)
    }
    if (block.kind === 'each' && !block.otherwise) this.#items--
    this.#nodes = this.#open.at(-1)?.otherwise ?? this.#open.at(-1)?.body ?? this.#root
    this.#nodes.push(toNode(block))
  }

  #reference(text: string, start: number): Reference {
    const name = text.startsWith('this.') ? text.slice(5) : text
    if (text !== '@index' && !NAME.test(name)) {
      const hint = text[0] === '{' ? '; for a literal brace leave a space after it' : ''
      throw this.#error(
        `${quote(text)} is not a variable name (letters, digits and _, not starting with a digit)${hint}`,
        start,
      )
    }
    if (text === 'else') throw this.#error('"else" is a reserved word and cannot be a variable name', start)
    if (text !== '@index' && text !== 'this' && name === text) return { kind: 'name', name }
    if (this.#items === 0) throw this.#error(`${quote(text)} is valid only inside {{#each}}`, start)
    if (text === 'this') return { kind: 'this' }
    return text === '@index' ? { kind: 'index' } : { kind: 'property', name }
  }

  #flush(): void {
    if (this.#text === '') return
    this.#nodes.push({ type: 'text', text: this.#text })
    this.#text = ''
  }

  #error(problem: string, offset: number): TemplateError {
    return new TemplateError(problem, this.#source, offset)
  }
}

function toNode({ kind, subject, body, otherwise }: OpenBlock): IfNode | EachNode {
  const rest = otherwise ? { body, otherwise } : { body }
  return kind === 'if' ? { type: 'if', condition: subject, ...rest } : { type: 'each', list: subject, ...rest }
}

/** Number of backslashes directly before `to`: each pair stands for one, and an odd one escapes what follows. */
function countBackslashes(source: string, from: number, to: number): number {
  let start = to
  while (start > from && source[start - 1] === '\\') start--
  return to - start
}

/** A loop rather than a regular expression, whose trailing `+$` would take quadratic time. */
function trimmed(source: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && SPACE.includes(source[start] as string)) start++
  while (end > start && SPACE.includes(source[end - 1] as string)) end--
  return source.slice(start, end)
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
