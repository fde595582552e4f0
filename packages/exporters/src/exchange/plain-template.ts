import { compileTemplate, printTemplate, type TemplateNode } from '@minions/prompts'
import type { Lose } from './portable-prompt.js'
import { asTemplate } from './read-messages.js'

/** Notation of a format for the parts of a template without blocks. */
export interface PlainWriter {
  placeholder(name: string): string
  /** A text, and whether a tag follows or precedes it. */
  text(text: string, beforeTag: boolean, afterTag: boolean): string
}

/** A template of texts and placeholders in the notation of a format. Blocks are lost: they are kept as written. */
export function plainTemplate(content: string, part: string, lose: Lose, writer: PlainWriter): string {
  const { nodes } = compileTemplate<string>(content)
  if (nodes.some(({ type }) => type !== 'text' && type !== 'placeholder')) {
    lose(`${part} blocks`, '{{#if}} and {{#each}} do not mean exactly the same there')
    return writer.text(content, false, false)
  }
  return nodes
    .map((node, index) => {
      if (node.type === 'text') return writer.text(node.text, index < nodes.length - 1, index > 0)
      return node.type === 'placeholder' && node.reference.kind === 'name'
        ? writer.placeholder(node.reference.name)
        : ''
    })
    .join('')
}

const PLACEHOLDER = '\\{\\{\\s*([a-zA-Z_][a-zA-Z0-9_]*)\\s*\\}\\}'

/** A syntax with placeholders in double braces, in which backslashes are literal. */
export interface PlainSyntax {
  /** Matches a literal brace, with the brace as its group. */
  readonly literal: RegExp
  /** Matches anything more than a placeholder. */
  readonly statement: RegExp
}

/** Our template for one in such a syntax. Anything more than placeholders is lost. */
export function readPlain(text: string, { literal, statement }: PlainSyntax, part: string, lose: Lose): string {
  const nodes: TemplateNode[] = []
  let rest = 0
  const add = (plain: string) => {
    if (statement.test(plain)) lose(part, 'it is more than a placeholder')
    nodes.push({ type: 'text', text: plain })
  }
  for (const match of text.matchAll(new RegExp(`${PLACEHOLDER}|${literal.source}`, 'g'))) {
    const [raw, name, braces] = match
    if (match.index > rest) add(text.slice(rest, match.index))
    if (name === undefined) nodes.push({ type: 'text', text: braces ?? '' })
    else nodes.push({ type: 'placeholder', reference: { kind: 'name', name }, raw })
    rest = match.index + raw.length
  }
  if (rest < text.length) add(text.slice(rest))
  return printTemplate(nodes) ?? asTemplate(text, part, lose)
}
