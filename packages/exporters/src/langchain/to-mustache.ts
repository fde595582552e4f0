import type { EachNode, IfNode, TemplateNode } from '@minions/prompts'
import { unsupported } from '../errors.js'
import type { DeclaredTypes } from '../prompt-content.js'
import { joinPieces, type Piece } from './join-pieces.js'

/** Writes a template in mustache. Throws `EXPORT_UNSUPPORTED` where mustache would have a different meaning. */
export function toMustache(nodes: readonly TemplateNode[], declared: DeclaredTypes, format = 'LangChain'): string {
  const refused = (construct: string, why: string) => unsupported(format, construct, why)

  /** On items, mustache also finds inherited properties. */
  const checkedName = (name: string, inItem: boolean): string => {
    if (!inItem || !(name in Object.prototype)) return name
    throw refused(`the name "${name}" inside {{#each}}`, 'exists on every object there')
  }

  /** Mustache has different rules of truthiness, and enters a value that is not a boolean like a list. */
  const conditionOf = ({ condition }: IfNode, inItem: boolean): string => {
    if (condition.kind === 'name' && declared.get(condition.name) === 'boolean') {
      return checkedName(condition.name, inItem)
    }
    throw refused('{{#if}}', 'has the same meaning there only for a variable that is declared boolean')
  }

  const listOf = ({ list }: EachNode, inItem: boolean): string => {
    if (inItem || list.kind !== 'name') {
      throw refused('an {{#each}} inside another', 'may have a different meaning there')
    }
    if ((declared.get(list.name) ?? 'array') === 'array') return list.name
    throw refused(`{{#each ${list.name}}}`, `would run there, although ${list.name} is not an array`)
  }

  const write = (node: TemplateNode, inItem: boolean): Piece[] => {
    const writeAll = (inner: readonly TemplateNode[], isItem = inItem) => inner.flatMap((one) => write(one, isItem))
    switch (node.type) {
      case 'text':
        return [{ kind: 'text', text: node.text, source: literal(node.text) }]
      case 'placeholder': {
        const { reference } = node
        if (reference.kind === 'index') throw refused('{{@index}}', 'does not exist there')
        const name = reference.kind === 'this' ? '.' : checkedName(reference.name, inItem)
        return [{ kind: 'value', source: `{{${name}}}` }]
      }
      case 'fragment':
        throw refused('{{> }}', 'cannot be found there; export the prompt by its id')
      default: {
        const name = node.type === 'if' ? conditionOf(node, inItem) : listOf(node, inItem)
        const block = (sign: string, body: readonly Piece[]): Piece[] => [
          { kind: 'opening', source: `{{${sign}${name}}}` },
          ...body,
          { kind: 'closing', source: `{{/${name}}}` },
        ]
        const body = block('#', writeAll(node.body, inItem || node.type === 'each'))
        return node.otherwise ? [...body, ...block('^', writeAll(node.otherwise))] : body
      }
    }
  }

  return joinPieces(nodes.flatMap((node) => write(node, false)))
}

/**
 * Mustache cannot escape its braces; other delimiters are set around literal ones. A brace at the end could join those
 * of the next tag.
 */
function literal(text: string): string {
  return text.replace(/\{{2,}|\{$/g, (braces) => `{{=<% %>=}}${braces}<%={{ }}=%>`)
}
