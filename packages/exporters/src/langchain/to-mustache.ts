import type { EachNode, IfNode, Reference, TemplateNode } from '@minions/prompts'
import { unsupported } from '../errors.js'
import type { DeclaredTypes } from '../prompt-content.js'
import { joinPieces, type Piece } from './join-pieces.js'

/** Writes a template in mustache. Throws `EXPORT_UNSUPPORTED` where mustache would have a different meaning. */
export function toMustache(nodes: readonly TemplateNode[], declared: DeclaredTypes, format = 'LangChain'): string {
  const writer = new MustacheWriter(declared, format)
  writer.write(nodes, false)
  return joinPieces(writer.pieces)
}

class MustacheWriter {
  readonly pieces: Piece[] = []
  readonly #declared: DeclaredTypes
  readonly #format: string

  constructor(declared: DeclaredTypes, format: string) {
    this.#declared = declared
    this.#format = format
  }

  write(nodes: readonly TemplateNode[], inItem: boolean): void {
    for (const node of nodes) {
      switch (node.type) {
        case 'text':
          this.pieces.push({ kind: 'text', text: node.text, source: literal(node.text) })
          break
        case 'placeholder':
          this.pieces.push({ kind: 'value', source: `{{${placeholder(node.reference, inItem, this.#format)}}}` })
          break
        case 'fragment':
          throw unsupported(this.#format, '{{> }}', 'cannot be found there; export the prompt by its id')
        case 'if':
          this.#block(this.#condition(node, inItem), node, inItem, inItem)
          break
        case 'each':
          this.#block(this.#list(node, inItem), node, true, inItem)
          break
      }
    }
  }

  #block(name: string, { body, otherwise }: IfNode | EachNode, bodyInItem: boolean, inItem: boolean): void {
    this.pieces.push({ kind: 'opening', source: `{{#${name}}}` })
    this.write(body, bodyInItem)
    this.pieces.push({ kind: 'closing', source: `{{/${name}}}` })
    if (!otherwise) return
    this.pieces.push({ kind: 'opening', source: `{{^${name}}}` })
    this.write(otherwise, inItem)
    this.pieces.push({ kind: 'closing', source: `{{/${name}}}` })
  }

  /** Mustache has different rules of truthiness, and enters a value that is not a boolean like a list. */
  #condition({ condition }: IfNode, inItem: boolean): string {
    if (condition.kind !== 'name' || this.#declared.get(condition.name) !== 'boolean') {
      throw unsupported(
        this.#format,
        '{{#if}}',
        'has the same meaning there only for a variable that is declared boolean',
      )
    }
    return checkedName(condition.name, inItem, this.#format)
  }

  #list({ list }: EachNode, inItem: boolean): string {
    if (inItem || list.kind !== 'name') {
      throw unsupported(this.#format, 'an {{#each}} inside another', 'may have a different meaning there')
    }
    const type = this.#declared.get(list.name) ?? 'array'
    if (type !== 'array') {
      throw unsupported(
        this.#format,
        `{{#each ${list.name}}}`,
        `would run there, although ${list.name} is not an array`,
      )
    }
    return checkedName(list.name, inItem, this.#format)
  }
}

function placeholder(reference: Reference, inItem: boolean, format: string): string {
  switch (reference.kind) {
    case 'this':
      return '.'
    case 'index':
      throw unsupported(format, '{{@index}}', 'does not exist there')
    default:
      return checkedName(reference.name, inItem, format)
  }
}

/** On items, mustache also finds inherited properties. */
function checkedName(name: string, inItem: boolean, format: string): string {
  if (!inItem || !(name in Object.prototype)) return name
  throw unsupported(format, `the name "${name}" inside {{#each}}`, 'exists on every object there')
}

/**
 * Mustache cannot escape its braces; other delimiters are set around literal ones. A brace at the end could join those
 * of the next tag.
 */
function literal(text: string): string {
  return text.replace(/\{{2,}|\{$/g, (braces) => `{{=<% %>=}}${braces}<%={{ }}=%>`)
}
